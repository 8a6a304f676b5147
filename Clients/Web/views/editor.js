import { currencyOf } from '../currencies.js';
import { h, setText } from '../dom.js';
import { link } from '../fragment.js';
import { coordinate, localInput, minorDigits, thereToo } from '../format.js';
import { randomName } from '../promised.js';
import { t } from '../strings.js';
import { Locator, canLocate } from '../locator.js';
import { ChosenPlacePart } from './chosenplace.js';
import { CourseChoicePart } from './coursechoice.js';
import { field, nameOf } from './parts.js';

const HOUR = 3_600_000;
/** Fields from the directory: a change makes the place one of the user's own. */
const OF_PLACE = ['placeName', 'address', 'latitude', 'longitude'];
const CURRENCIES = ['EUR', 'GBP', 'JPY', 'KRW', 'USD'];

/** Creates a promise, or changes one. */
export class EditorView {
  #app;
  #id;
  #from;
  #promise = null;
  #chosen;
  #course;
  /** The same for every attempt, so that a retry after a cut connection creates no second promise. */
  #key = randomName();
  #onPick = ({ detail }) => {
    this.#pick(detail.latitude, detail.longitude);
    this.#app.map.approach(detail.latitude, detail.longitude);
  };

  /**
   * @param {App} app
   * @param {string|null} id the promise to change; null creates one
   * @param {{kind: 'place'|'favourite', id: string}|null} [from] the place of the new promise
   */
  constructor(app, id, from = null) {
    this.#app = app;
    this.#id = id;
    this.#from = from;
    this.#chosen = new ChosenPlacePart(app.client);
    this.#course = new CourseChoicePart(app);
    this.root = h('section', {}, h('h1', {}, t(id ? 'edit-promise' : 'new-promise')));
    app.map?.addEventListener('pick', this.#onPick);
    document.body.classList.add('picking');
    if (!id) this.#draw();
  }

  leave() {
    this.#chosen.leave();
    this.#app.map?.removeEventListener('pick', this.#onPick);
    document.body.classList.remove('picking');
  }

  async online() {
    if (this.#id && !this.#promise) {
      const reply = await this.#app.run(null, () => this.#app.client.call('getPromise', { promiseId: this.#id }));
      if (!reply) return;
      this.#promise = reply.promise;
      this.#draw();
    }
    if (this.#from) await this.#app.run(null, () => this.#fill());
    if (!this.#id) this.#drawFriends();
    await this.#course.load(this.#promise?.courseId);
  }

  event(event) {
    this.#chosen.event(event);
  }

  /** Fills in the place from which the user came. */
  async #fill() {
    const place = await this.#app.directory.placeOf(this.#from);
    this.#from = null;
    if (!place || !this.root.isConnected) return;
    const { name, address = '', latitude = 0, longitude = 0, placeId = '' } = place;
    const values = { placeName: name, address, latitude, longitude };
    for (const field of OF_PLACE) this.form.elements[field].value = values[field];
    this.#chosen.choose(placeId);
    this.#preview();
    this.#app.map?.fit();
  }

  #draw() {
    const { place = {}, title, meetsAt, radiusMetres, penalty, note } = this.#promise ?? {};
    const soon = Math.ceil((this.#app.client.clock.now() + 0.75 * HOUR) / (HOUR / 4)) * (HOUR / 4);
    const number = { type: 'number', step: 'any', required: true, inputmode: 'decimal' };
    const currency = penalty?.currency ?? currencyOf(Intl.DateTimeFormat().resolvedOptions().timeZone);
    this.submit = h('button.primary', { type: 'submit' }, t(this.#id ? 'save' : 'create'));
    this.there = h('p.quiet.there', { 'aria-live': 'polite' });
    this.friends = h('fieldset', { hidden: true }, h('legend', {}, t('invite')));
    this.form = h('form.stack', { onsubmit: (event) => this.#save(event), oninput: (event) => this.#typed(event) },
      field(t('title'), { name: 'title', required: true, maxlength: 60, value: title ?? '', autocomplete: 'off' }),
      h('div', {},
        field(t('when'), { name: 'meetsAt', type: 'datetime-local', required: true, value: localInput(meetsAt ?? soon) }),
        this.there),
      h('fieldset', {}, h('legend', {}, t('place')),
        h('p.quiet', {}, t('pick-hint'), ' ', !this.#id && h('a', { href: link('places') }, t('choose-place'))),
        this.#chosen.root,
        field(t('place-name'), { name: 'placeName', required: true, maxlength: 100, value: place.name ?? '' }),
        field(t('address'), { name: 'address', maxlength: 200, value: place.address ?? '' }),
        h('div.pair', {},
          field(t('latitude'), { name: 'latitude', min: -90, max: 90, ...number, value: this.#id ? place.latitude ?? 0 : '' }),
          field(t('longitude'), { name: 'longitude', min: -180, max: 180, ...number, value: this.#id ? place.longitude ?? 0 : '' })),
        canLocate() && h('button.small', { type: 'button', onclick: ({ target }) => this.#here(target) }, t('use-my-place')),
        field(t('radius'), { name: 'radius', type: 'number', min: 20, max: 500, required: true, value: radiusMetres ?? 50 })),
      h('div.pair', {},
        field(t('penalty'), { name: 'amount', type: 'number', min: 0, step: 'any', value: major(penalty) }),
        field(t('currency'), { name: 'currency', pattern: '[A-Z]{3}', maxlength: 3, list: 'currencies', value: currency })),
      h('datalist', { id: 'currencies' }, CURRENCIES.map((code) => h('option', { value: code }))),
      field(t('note'), { name: 'note', maxlength: 500, rows: 3, value: note ?? '' }, null, 'textarea'),
      this.#course.root,
      !this.#id && h('div', {}, h('label.check', {}, h('input', { type: 'checkbox', role: 'switch', name: 'noMock', 'aria-describedby': 'mock-hint' }),
        t('mock.refuse')), h('p.quiet', { id: 'mock-hint' }, t('mock.refuse-hint'))),
      this.friends,
      h('div.buttons', {}, h('button', { type: 'button', onclick: () => history.back() }, t('cancel')), this.submit));
    this.root.append(this.form);
    this.#chosen.choose(place.placeId ?? '');
    this.#preview();
    if (this.#id) this.#app.map?.fit();
  }

  async #drawFriends() {
    if (!this.friends.hidden) return;
    try {
      const { users = [] } = await this.#app.client.call('listFriends', { limit: 50 });
      const boxes = users.map((user) => h('label.check', {},
        h('input', { type: 'checkbox', name: 'invitee', value: user.userId }), nameOf(user)));
      this.friends.replaceChildren(h('legend', {}, t('invite')),
        ...(boxes.length ? boxes : [h('p.quiet', {}, t('no-friends-to-invite'))]));
      this.friends.hidden = false;
    } catch (error) {
      this.#app.fail(error);
    }
  }

  #pick(latitude, longitude) {
    this.form.elements.latitude.value = latitude.toFixed(6);
    this.form.elements.longitude.value = longitude.toFixed(6);
    this.#chosen.choose('');
    const name = this.form.elements.placeName;
    if (!name.value) name.placeholder = coordinate(latitude, longitude);
    this.#preview();
    this.#app.announce(coordinate(latitude, longitude));
  }

  #here(button) {
    this.#app.run(button, async () => {
      const locator = new Locator();
      try {
        const { latitude, longitude } = await locator.locate();
        this.#pick(latitude, longitude);
        this.#app.map?.focus(latitude, longitude);
      } catch ({ cause }) {
        this.#app.say(t(cause === 'PERMISSION' ? 'share.denied' : 'share.unavailable'), { isUrgent: true });
      } finally {
        locator.stop();
      }
    });
  }

  /** Moves the map to typed coordinates, which may be anywhere. */
  #typed({ target }) {
    if (OF_PLACE.includes(target.name)) this.#chosen.choose('');
    this.#preview();
    if (['latitude', 'longitude'].includes(target.name) && this.#place()) this.#app.map?.fit();
  }

  #preview() {
    const place = this.#place();
    if (place) this.#app.map?.setPlace({ ...place, radiusMetres: this.form.elements.radius.valueAsNumber || 50 });
    const meetsAt = Date.parse(this.form.elements.meetsAt.value);
    this.#chosen.at = meetsAt;
    setText(this.there, place && !Number.isNaN(meetsAt) ? thereToo(meetsAt, place) : '');
  }

  /** The typed coordinates; null if they are invalid. */
  #place() {
    const [latitude, longitude] = ['latitude', 'longitude'].map((name) => this.form.elements[name].valueAsNumber);
    const isPlace = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
    return isPlace ? { latitude, longitude } : null;
  }

  #save(event) {
    event.preventDefault();
    const request = this.#request(new FormData(this.form));
    this.#app.run(this.submit, async () => {
      const call = this.#id ? 'updatePromise' : 'createPromise';
      const { promise, overlaps = [] } = await this.#app.client.call(call, request);
      this.#app.say(t(this.#id ? 'saved' : 'created'));
      if (overlaps.length) this.#app.say(t('overlaps', { titles: overlaps.map((one) => one.title).join(', ') }));
      this.#app.go('promise', promise.promiseId);
    });
  }

  #request(data) {
    const text = (name) => data.get(name).trim();
    const currency = text('currency').toUpperCase();
    const amount = Math.round(Number(data.get('amount') || 0) * 10 ** minorDigits(currency));
    const fields = {
      title: text('title'), note: text('note'), meetsAt: new Date(data.get('meetsAt')).toISOString(),
      place: { name: text('placeName'), address: text('address'), ...this.#place(), ...this.#placeId() },
      radiusMetres: Math.round(Number(data.get('radius'))),
      ...(amount > 0 || this.#promise?.penalty ? { penalty: { amount, currency } } : {}),
    };
    const { courseId } = this.#course;
    if (this.#id) return { promiseId: this.#id, version: this.#promise.version, ...this.#changed({ ...fields, courseId }) };
    return { key: this.#key, ...fields, ...(courseId && { courseId }), ...(data.has('noMock') && { rule: { mock: 'REJECT' } }), inviteeIds: data.getAll('invitee') };
  }

  #placeId() {
    return this.#chosen.placeId ? { placeId: this.#chosen.placeId } : {};
  }

  /** The changed fields only: after the window has opened, only some may be sent. */
  #changed(fields) {
    const before = this.#promise;
    const same = {
      title: fields.title === before.title, courseId: fields.courseId === (before.courseId ?? ''), note: fields.note === (before.note ?? ''),
      meetsAt: fields.meetsAt === localMinute(before.meetsAt), radiusMetres: fields.radiusMetres === before.radiusMetres,
      place: ['name', 'address', 'latitude', 'longitude', 'placeId'].every((key) => (fields.place[key] || '') === (before.place[key] || '')),
      penalty: fields.penalty?.amount === before.penalty?.amount && fields.penalty?.currency === before.penalty?.currency,
    };
    return Object.fromEntries(Object.entries(fields).filter(([name]) => !same[name]));
  }
}

/** A penalty in the currency's own unit; an empty text for none. */
function major(penalty) {
  return penalty?.amount ? penalty.amount / 10 ** minorDigits(penalty.currency) : '';
}

/** An instant as the form returns it: to the minute. */
const localMinute = (instant) => new Date(localInput(instant)).toISOString();
