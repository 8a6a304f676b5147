import { h, setText, show } from '../dom.js';
import { distance, time } from '../format.js';
import { Locator, canLocate } from '../locator.js';
import { t } from '../strings.js';
import { ask, field, small } from './parts.js';

/** The user's own part: sharing the position, checking in, and a status. */
export class SharingPart {
  #view;
  #reporter = null;
  #locator = new Locator();
  #trouble = null;
  #accuracy = null;

  constructor(view) {
    this.#view = view;
    this.sign = h('p.sign', { role: 'status' });
    this.detail = h('p.quiet');
    this.start = small(t('share.start'), (button) => this.#begin(button), { kind: 'primary' });
    this.pause = small(t('share.pause'), (button) => this.#pause(button));
    this.here = small(t('check-in'), (button) => this.#checkIn(button));
    this.byCode = small(t('check-in.enter'), () => this.#checkInByCode());
    this.showCode = small(t('check-in.show'), (button) => this.#showCode(button));
    this.setStatus = small(t('set-status'), () => this.#askStatus());
    this.code = h('p.code', { hidden: true }, t('check-in.your-code'), h('strong'));
    this.root = h('section.own', { 'aria-label': t('share.title') }, this.sign, this.detail,
      h('div.buttons', {}, this.start, this.pause, this.here, this.byCode, this.showCode, this.setStatus), this.code);
  }

  leave() {
    this.#stop();
  }

  /** A new subscription: when to report next, in milliseconds of the server's clock; 0 for never. */
  follow(nextReportMs) {
    if (this.#reporter) this.#reporter.follow(nextReportMs);
    else if (nextReportMs && this.#isRemembered()) this.#report();
    else if (this.#view.status === 'SETTLING' && this.#isRemembered()) this.#makeReporter().finish();
    this.draw();
  }

  event({ positions, pace }) {
    if (positions) this.#reporter?.slot(positions.nextReportMs ?? 0);
    if (pace) this.#reporter?.pace(pace.nextReportMs ?? 0);
  }

  draw() {
    const { mine, status } = this.#view;
    const isIn = mine?.membership === 'ACCEPTED' && !['FINAL', 'CANCELLED'].includes(status);
    show(this.root, isIn);
    if (!isIn) return this.#stop();
    const isLive = status === 'TRACKING';
    const hasArrived = mine.arrival?.stage === 'CONFIRMED';
    if (hasArrived) this.#stop();
    else if (!isLive) this.#finish();
    const isOn = this.#reporter !== null;
    this.root.dataset.sharing = isOn ? (this.#trouble ? 'trouble' : 'on') : 'off';
    setText(this.sign, this.#signText(isLive, hasArrived, isOn));
    setText(this.detail, this.#detailText(status, hasArrived, isOn));
    show(this.detail, this.detail.textContent !== '');
    show(this.start, isLive && !isOn && !hasArrived);
    show(this.pause, isOn);
    show(this.here, isLive && !hasArrived);
    show(this.byCode, isLive && !hasArrived);
    show(this.showCode, isLive && hasArrived);
    show(this.code, isLive && hasArrived && this.code.lastChild.textContent !== '');
    return undefined;
  }

  #signText(isLive, hasArrived, isOn) {
    if (!isLive) return t('share.title');
    if (hasArrived) return t('share.done');
    if (isOn) return t(this.#accuracy === null ? 'share.waiting' : 'share.on');
    return t(this.#view.mine.sharing === true ? 'share.title' : 'share.paused');
  }

  #detailText(status, hasArrived, isOn) {
    const isLive = status === 'TRACKING';
    if (this.#trouble) return t(this.#trouble === 'PERMISSION' ? 'share.denied' : 'share.unavailable');
    if (status === 'SCHEDULED') return t('share.later', { time: time(this.#view.meetup.promise.opensAt) });
    if (!isLive) return t('share.over');
    if (hasArrived) return '';
    if (isOn) return this.#accuracy === null ? '' : t('share.accuracy', { distance: distance(this.#accuracy) });
    return t(canLocate() ? 'share.off' : 'share.insecure');
  }

  // Sharing

  async #begin(button) {
    if (!this.#isRemembered()) {
      const consent = await ask({ title: t('consent.title'), content: [h('p', {}, t('consent.text'))], confirm: t('consent.yes') });
      if (!consent) return;
    }
    await this.#view.app.run(button, async () => {
      if (this.#view.mine.sharing !== true) await this.#setSharing(true);
      this.#remember(true);
      this.#report();
      this.draw();
    });
  }

  #report() {
    this.#locator.start();
    this.#reporter = this.#makeReporter();
    // The first report need not wait for the slot.
    this.#reporter.follow(1);
  }

  #makeReporter() {
    const { app, id } = this.#view;
    return app.client.reporter(id, () => this.#locator.locate(), {
      onReport: (fix) => this.#note(null, fix.accuracyMetres ?? 0),
      onTrouble: (cause) => this.#note(cause, this.#accuracy),
      onRefusal: () => this.draw(),
    });
  }

  /** The window is over: what could not be sent in time still counts while the result is settled. */
  #finish() {
    this.#reporter?.finish();
    this.#reporter = null;
    this.#stop();
  }

  #note(trouble, accuracy) {
    this.#trouble = trouble;
    this.#accuracy = accuracy;
    this.draw();
  }

  #stop() {
    this.#reporter?.stop();
    this.#reporter = null;
    this.#locator.stop();
    this.#trouble = null;
    this.#accuracy = null;
  }

  async #pause(button) {
    this.#stop();
    this.#remember(false);
    await this.#view.app.run(button, () => this.#setSharing(false));
    this.draw();
  }

  async #setSharing(on) {
    await this.#view.app.client.call('setSharing', { promiseId: this.#view.id, on });
    this.#view.mine.sharing = on;
  }

  /** Whether this tab shared before it was loaded anew: the consent was for the promise, and holds. */
  #isRemembered() {
    return sessionStorage.getItem('promised.sharing') === this.#view.id;
  }

  #remember(on) {
    if (on) sessionStorage.setItem('promised.sharing', this.#view.id);
    else sessionStorage.removeItem('promised.sharing');
  }

  // Checking in, status

  #checkIn(button, code) {
    const { app, id } = this.#view;
    return app.run(button, async () => {
      await app.client.call('checkIn', { promiseId: id, ...(code ? { code } : {}) });
      app.say(t('check-in.done'));
    });
  }

  async #checkInByCode() {
    const input = field(t('check-in.code'), { name: 'code', required: true, inputmode: 'numeric', pattern: '[0-9]{6}', maxlength: 6, autocomplete: 'off' });
    const data = await ask({ title: t('check-in.enter'), content: [input], confirm: t('check-in.enter') });
    if (data) await this.#checkIn(this.byCode, data.get('code'));
  }

  #showCode(button) {
    const { app, id } = this.#view;
    return app.run(button, async () => {
      const { code } = await app.client.call('getCheckInCode', { promiseId: id });
      setText(this.code.lastChild, code);
      this.draw();
    });
  }

  async #askStatus() {
    const { app, id, mine } = this.#view;
    const data = await ask({ title: t('set-status'), confirm: t('save'), content: [
      field(t('emoji'), { name: 'emoji', maxlength: 64, value: mine.emoji ?? '', autocomplete: 'off' }),
      field(t('status-text'), { name: 'text', maxlength: 80, value: mine.statusText ?? '', autocomplete: 'off' }),
    ] });
    if (!data) return;
    const [text, emoji] = [data.get('text').trim(), data.get('emoji').trim()];
    await app.run(this.setStatus, () => app.client.call('setStatus', { promiseId: id, text, emoji }));
  }
}
