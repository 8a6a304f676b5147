import { h, setText } from '../dom.js';
import { link } from '../fragment.js';
import { localInput } from '../format.js';
import { allPages } from '../pages.js';
import { Pictures } from '../pictures.js';
import { randomName } from '../promised.js';
import { explain, t } from '../strings.js';
import { AUDIENCES, KINDS, changes, companionsOf } from '../visits.js';
import { choice, field, nameOf } from './parts.js';
import { PhotoEditsPart } from './photoedits.js';
import { VisitPlacePart } from './visitplace.js';
import { photoWords } from './visitrow.js';

const YEARS = 20;

/** Creates a visit by hand, or changes one. */
export class VisitEditorView {
  #app;
  #id;
  #from;
  #visit = null;
  #isDrawn = false;
  #pictures;
  #place;
  #photos;
  /** The same for every attempt, so that a repeat after a cut connection creates no second visit. */
  #key = randomName();
  #onPick = ({ detail: { latitude, longitude } }) => this.#isDrawn && this.#place.pick(latitude, longitude);

  /**
   * @param {App} app
   * @param {string|null} id of the visit to change; null creates one
   * @param {{kind: 'place'|'at', value: string}|null} [from] a place of the directory, or `latitude,longitude`
   */
  constructor(app, id, from = null) {
    this.#app = app;
    this.#id = id;
    this.#from = from;
    this.#pictures = new Pictures(app.client);
    this.#place = new VisitPlacePart(app);
    this.#photos = new PhotoEditsPart(app, this.#pictures, () => this.#uploadsChanged());
    this.form = h('form.stack', { onsubmit: (event) => this.#save(event), oninput: () => this.error && setText(this.error, '') }, h('p.quiet', {}, t('loading')));
    this.root = h('section.visit-editor', {}, h('a.backlink', { href: id ? link('visit', id) : link('visits') }, '‹ ', t('visits')),
      h('h1', {}, t(id ? 'visit.edit' : 'visit.add')), this.form);
    app.map?.addEventListener('pick', this.#onPick);
    document.body.classList.add('picking');
  }

  leave() {
    this.#photos.leave();
    this.#pictures.leave();
    this.#app.map?.removeEventListener('pick', this.#onPick);
    document.body.classList.remove('picking');
  }

  async online() {
    if (this.#isDrawn) return;
    try {
      const { client } = this.#app;
      const [visit, friends] = await Promise.all([
        this.#id ? client.call('getVisit', { visitId: this.#id }) : null, allPages(client, 'listFriends', 'users'),
      ]);
      const place = await this.#placeBefore(visit);
      if (!this.root.isConnected || this.#isDrawn) return;
      this.#visit = visit;
      this.#draw(visit ?? {}, friends);
      if (place) this.#place.choose(place);
    } catch (error) {
      if (!error.code) throw error;
      if (!error.code.startsWith('client.')) this.form.replaceChildren(h('p.empty', {}, explain(error)));
    }
  }

  async #placeBefore(visit) {
    if (visit) return visit.place ?? {};
    const { kind, value } = this.#from ?? {};
    if (kind === 'place') return this.#app.directory.placeOf({ kind, id: value });
    const [latitude, longitude] = (value ?? '').split(',').map(Number);
    return Number.isFinite(latitude) && Number.isFinite(longitude) ? { latitude, longitude } : null;
  }

  #draw(visit, friends) {
    const { visitedAt, kind, title, memo, emoji, audience, photos = [] } = visit;
    const now = this.#app.client.clock.now();
    this.submit = h('button.primary', { type: 'submit' }, t('save'));
    this.error = h('p.error', { role: 'alert' });
    this.form.replaceChildren(...[
      this.#place.root,
      field(t('when'), { name: 'visitedAt', type: 'datetime-local', required: true, value: localInput(visitedAt ?? now),
        min: localInput(now - YEARS * 365 * 86_400_000), max: localInput(now + 60_000) }),
      h('div.pair', {}, choice(t('visit.kind'), 'kind', KINDS.map((one) => [one, t('visit.kind.' + one)])),
        field(t('emoji'), { name: 'emoji', maxlength: 64, autocomplete: 'off', value: emoji ?? '' })),
      field(t('visit.title'), { name: 'title', maxlength: 100, autocomplete: 'off', value: title ?? '' }),
      field(t('visit.memo'), { name: 'memo', maxlength: 2000, rows: 5, value: memo ?? '' }, null, 'textarea'),
      this.#photos.root, visit.source !== 'ARRIVAL' && this.#companions(visit, friends),
      choice(t('audience'), 'audience', AUDIENCES.map((one) => [one, t('audience.' + one)])), h('p.quiet', {}, t('audience.hint')),
      this.error, h('div.buttons', {}, h('button', { type: 'button', onclick: () => history.back() }, t('cancel')), this.submit),
    ].filter(Boolean));
    this.form.elements.kind.value = kind ?? 'NOTE';
    this.form.elements.audience.value = audience ?? 'PRIVATE';
    this.#photos.show(photos, (index) => photoWords(visit, index));
    this.#isDrawn = true;
  }

  /** The choice of companions: friends, existing ones, and other names. */
  #companions({ companions = [] }, friends) {
    const there = companions.filter(({ user }) => user).map(({ user }) => user);
    const users = [...there, ...friends.filter(({ userId }) => !there.some((one) => one.userId === userId))];
    const names = companions.filter(({ user }) => !user).map(({ name }) => name).join(', ');
    return h('fieldset', {}, h('legend', {}, t('companions')), users.map((user) => h('label.check', {},
      h('input', { type: 'checkbox', name: 'companion', value: user.userId, checked: there.includes(user) }), nameOf(user))),
    field(t('companions.others'), { name: 'names', maxlength: 800, autocomplete: 'off', value: names }, t('companions.hint')));
  }

  #uploadsChanged() {
    if (!this.submit) return;
    this.submit.disabled = this.#photos.isBusy;
    setText(this.error, '');
  }

  #save(event) {
    event.preventDefault();
    const fields = this.#fields(new FormData(this.form));
    const isEmpty = !fields.title && !fields.memo && fields.photos.length === 0;
    setText(this.error, isEmpty && this.#visit?.source !== 'ARRIVAL' ? t('error.visit.empty') : '');
    if (this.error.textContent) return;
    this.#app.run(this.submit, async () => {
      const [name, request] = this.#request(fields);
      const { visitId } = await this.#app.client.call(name, request);
      this.#app.say(t('saved'));
      this.#app.go('visit', visitId);
    });
  }

  #request(fields) {
    if (!this.#visit) return ['createVisit', { key: this.#key, ...fields }];
    const { visitId, version } = this.#visit;
    const changed = changes(this.#visit, fields);
    // Without a change the visit is only read.
    return Object.keys(changed).length === 0 ? ['getVisit', { visitId }] : ['updateVisit', { visitId, version, ...changed }];
  }

  #fields(data) {
    const text = (name) => data.get(name).trim();
    const companions = companionsOf(data.getAll('companion'), data.get('names') ?? '');
    return {
      place: this.#place.place, visitedAt: new Date(data.get('visitedAt')).toISOString(), kind: data.get('kind'), title: text('title'),
      memo: text('memo').replaceAll('\r\n', '\n'), emoji: text('emoji'), photos: this.#photos.choices,
      ...(this.#visit?.source !== 'ARRIVAL' && { companions }), audience: data.get('audience'),
    };
  }
}
