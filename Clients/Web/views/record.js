import { ACTIVITIES } from '../courses.js';
import { h, mark, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { countdown, distance, moment } from '../format.js';
import { canLocate } from '../locator.js';
import { CourseRecorder } from '../promised.js';
import { explain, t } from '../strings.js';
import { journalTabs } from './journal.js';
import { ask, choice, field, small } from './parts.js';

const TICK_MS = 1000;
const NUMBERS = ['record.time', 'figure.distance', 'record.points', 'record.waiting'];

/** Records a way: consent, a clear sign, pauses, and unfinished recordings. */
export class RecordView {
  #app;
  #timer;
  #shown = null;
  #onChange = () => this.#draw();
  #onError = ({ detail }) => setText(this.trouble, explain(detail));
  #onTrouble = ({ detail }) => setText(this.trouble, t('record.trouble.' + detail));
  #wasStuck = false;

  constructor(app) {
    this.#app = app;
    this.trouble = h('p.error', { role: 'alert' });
    this.sign = h('p.sign', { role: 'status' });
    this.numbers = h('dl.numbers', {}, NUMBERS.map((key) => h('div', {}, h('dt', {}, t(key)), h('dd'))));
    this.buttons = h('div.buttons');
    this.live = h('section.own.recording', { hidden: true, 'aria-label': t('record') }, this.sign, this.numbers, this.buttons);
    this.form = this.#form();
    this.unfinished = h('section', { hidden: true });
    this.root = h('section.record', {}, journalTabs('record'), h('h1', {}, t('record')), this.live, this.trouble, this.unfinished, this.form);
    for (const [name, listener] of this.#listeners) app.recording.addEventListener(name, listener);
    this.#timer = setInterval(() => this.#draw(), TICK_MS);
    this.#draw();
  }

  leave() {
    clearInterval(this.#timer);
    for (const [name, listener] of this.#listeners) this.#app.recording.removeEventListener(name, listener);
  }

  async online() {
    await this.#drawUnfinished();
  }

  get #listeners() {
    return [['change', this.#onChange], ['trouble', this.#onTrouble], ['refused', this.#onError], ['lost', this.#onError]];
  }

  #form() {
    const activity = choice(t('activity'), 'activity', ACTIVITIES.map((one) => [one, t('activity.' + one)]));
    this.start = h('button.primary', { type: 'submit', disabled: !canLocate() }, t('record.start'));
    return h('form.stack', { onsubmit: (event) => this.#begin(event) }, h('p', {}, t('record.text')), activity,
      field(t('title'), { name: 'title', maxlength: 60, autocomplete: 'off' }), !canLocate() && h('p.error', {}, t('share.insecure')),
      h('div.buttons', {}, this.start));
  }

  async #begin(event) {
    event.preventDefault();
    const data = new FormData(this.form);
    const consent = await ask({ title: t('record.consent'), content: [h('p', {}, t('record.consent-text'))], confirm: t('record.start') });
    if (!consent) return;
    await this.#app.run(this.start, () => this.#app.recording.start({ activity: data.get('activity'), title: data.get('title').trim() }));
    this.buttons.querySelector('button')?.focus();
  }

  #draw() {
    const { recording, map } = this.#app;
    const { state, recorder } = recording;
    show(this.live, state !== 'none');
    show(this.form, state === 'none');
    if (state !== this.#shown) this.#drawState(state);
    this.#drawTrouble(state);
    if (!recorder) return;
    const numbers = [countdown(Date.now() - recorder.about.startedAt), distance(recording.metres), String(recorder.points), String(recorder.waiting)];
    this.numbers.querySelectorAll('dd').forEach((one, index) => setText(one, numbers[index]));
    map?.setWays([{ lines: recording.lines, isSelected: true }]);
    map?.keepInView();
  }

  #drawState(state) {
    this.#shown = state;
    const { recording } = this.#app;
    const run = (work) => (button) => this.#app.run(button, work);
    const last = [small(t('record.finish'), (button) => this.#finish(button), { kind: 'primary' }),
      small(t('record.discard'), (button) => this.#discard(button), { kind: 'plain' })];
    this.buttons.replaceChildren(...(state === 'recording' ? [small(t('record.pause'), run(() => recording.pause())), ...last]
      : state === 'paused' ? [small(t('record.go-on'), run(() => recording.unpause())), ...last] : []));
    if (this.live.contains(document.activeElement) || document.activeElement === document.body) this.buttons.querySelector('button')?.focus();
  }

  /** The sign shows the actual state: missing positions until they arrive again. */
  #drawTrouble(state) {
    const { trouble } = this.#app.recording;
    this.live.dataset.state = trouble ? 'stuck' : state;
    setText(this.sign, state === 'none' ? '' : t('record.state.' + (trouble ? 'stuck' : state)));
    if (trouble && !this.trouble.textContent) setText(this.trouble, t('record.trouble.' + trouble));
    if (!trouble && this.#wasStuck) setText(this.trouble, '');
    this.#wasStuck = trouble !== null;
  }

  async #finish(button) {
    const data = await ask({ title: t('record.finish'), confirm: t('save'), content: [
      field(t('title'), { name: 'title', maxlength: 60, autocomplete: 'off', value: this.#app.recording.recorder.about.title }),
      field(t('visit.memo'), { name: 'memo', maxlength: 2000, rows: 3 }, null, 'textarea'),
    ] });
    if (!data) return;
    const [title, memo] = ['title', 'memo'].map((name) => data.get(name).trim());
    if (this.#app.client.state !== 'online') this.#app.say(t('record.later'));
    await this.#app.run(button, async () => {
      const { courseId } = await this.#app.recording.finish({ ...(title && { title }), ...(memo && { memo }) });
      if (this.root.isConnected) this.#app.go('course', courseId);
    });
  }

  async #discard(button) {
    if (!(await ask({ title: t('record.discard-sure'), confirm: t('record.discard'), isGrave: true }))) return;
    await this.#app.run(button, () => this.#app.recording.discard());
  }

  // Unfinished

  /** Recordings of this browser, and those of other devices from the server. */
  async #drawUnfinished() {
    try {
      const { client, recording } = this.#app;
      const [local, { recordings = [] }] = await Promise.all([recording.unfinished(), client.call('listRecordings', {})]);
      const known = [...local, recording.recorder && { recordingId: recording.recorder.about.recordingId }].filter(Boolean);
      const others = recordings.filter(({ recordingId }) => !known.some((one) => one.recordingId === recordingId));
      const rows = [...local.map((record) => this.#localRow(record)), ...others.map((one) => this.#otherRow(one))];
      show(this.unfinished, rows.length > 0);
      this.unfinished.replaceChildren(h('h2', {}, t('record.unfinished')), h('ul.rows', {}, rows));
    } catch (error) {
      this.#app.fail(error);
    }
  }

  #localRow(record) {
    const { client, recording } = this.#app;
    return this.#row(record, t('record.here'), {
      'record.go-on': recording.state === 'none' && (() => recording.goOn(record)),
      'record.finish': async () => this.#app.go('course', (await (await CourseRecorder.resume(client, record)).finish()).courseId),
      'record.discard': async () => (await CourseRecorder.resume(client, record)).discard(),
    });
  }

  #otherRow(one) {
    const { client } = this.#app;
    const { recordingId } = one;
    return this.#row(one, distance(one.distanceMetres ?? 0), {
      'record.finish': async () => this.#app.go('course', (await client.call('finishRecording', { recordingId })).courseId),
      'record.discard': () => client.call('discardRecording', { recordingId }),
    });
  }

  #row({ title, startedAt, activity = 'OTHER' }, words, actions) {
    const name = title || `${t('activity.' + activity)}, ${moment(startedAt)}`;
    const buttons = Object.entries(actions).filter(([, work]) => work).map(([key, work]) => small(t(key), async (button) => {
      const isSure = key !== 'record.discard' || (await ask({ title: t('record.discard-sure'), confirm: t('record.discard'), isGrave: true }));
      if (!isSure) return;
      await this.#app.run(button, work);
      await this.#drawUnfinished();
    }, { name: `${t(key)}: ${name}` }));
    return h('li.row', {}, h('span.grow', {}, name, ' ', h('span.quiet', {}, words)), ...buttons);
  }
}

/** The sign over all views during a recording: a link to it, and a button that pauses it, or goes on. */
export function drawRecordingSign(element, app) {
  const { recording } = app;
  if (!element.firstChild) {
    element.setAttribute('aria-label', t('record'));
    const toggle = (button) => app.run(button, () => (recording.state === 'paused' ? recording.unpause() : recording.pause()));
    element.append(h('div.sign-line', {}, h('a', { href: link('record') }), small('', toggle)));
  }
  const { state, trouble } = recording;
  const isOn = state === 'recording' || state === 'paused';
  show(element, isOn);
  element.dataset.state = trouble ? 'stuck' : state;
  if (!isOn) return;
  const [way, toggle] = element.firstChild.children;
  setText(way, t('record.state.' + element.dataset.state));
  setText(toggle, t(state === 'paused' ? 'record.go-on' : 'sign.stop'));
  mark(toggle, 'aria-label', t(state === 'paused' ? 'record.go-on-name' : 'record.pause-name'));
}
