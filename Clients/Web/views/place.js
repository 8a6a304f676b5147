import { h, mark, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { amount, date } from '../format.js';
import { icon } from '../icons.js';
import { isBetween } from '../longitudes.js';
import { dayIn, hoursLine, openDays, openingLine } from '../opening.js';
import { OutlookWatch } from '../outlooks.js';
import { randomName } from '../promised.js';
import { explain, has, t } from '../strings.js';
import { offsetMinutes } from '../zones.js';
import { credit, outside } from './credits.js';
import { OutlookPart } from './outlook.js';
import { small } from './parts.js';
import { categoryNames } from './placelist.js';
import { placeSign } from './placesigns.js';
import { share } from './share.js';

/** Facts that are numbers of things. */
const COUNTS = ['docks', 'racks', 'shops', 'stalls', 'stands'];

/** The card of a place of the directory. */
export class PlaceView {
  #app;
  #id;
  #details = null;
  #watch;
  #outlook = new OutlookPart(t('outlook.now'), { hasHours: false });
  /** The same for every attempt, so that a repeat after a cut connection adds no second favourite. */
  #key = randomName();
  #onPick = ({ detail }) => {
    const other = detail.signs.find(({ id }) => id !== this.#id);
    if (other) this.#app.go('place', other.id);
  };

  constructor(app, id) {
    this.#app = app;
    this.#id = id;
    app.map?.addEventListener('pick', this.#onPick);
    this.#watch = new OutlookWatch(app.client, () => this.#outlook.draw(this.#watch.outlook));
    this.root = h('section.place-card', {}, h('p.quiet', {}, t('loading')));
  }

  leave() {
    this.#app.map?.removeEventListener('pick', this.#onPick);
    this.#watch.stop();
  }

  async online() {
    try {
      await this.#app.directory.categories();
      this.#details = await this.#app.client.call('getPlace', { placeId: this.#id });
      // Another view has the map by now.
      if (!this.root.isConnected) return;
      this.#draw();
      this.#watch.watch({ placeId: this.#id });
      await this.#loadLinks();
    } catch (error) {
      if (!error.code) throw error;
      if (this.#details || error.code.startsWith('client.')) return;
      this.root.replaceChildren(this.#back(), h('p.empty', {}, explain(error)));
    }
  }

  event(event) {
    this.#watch.event(event);
  }

  #back() {
    return h('a.backlink', { href: link('places') }, '‹ ', t('places'));
  }

  #draw() {
    const { card } = this.#details;
    const now = this.#app.client.clock.now();
    this.favourite = h('button.small.choice', { type: 'button', onclick: () => this.#keepOrRemove() }, icon('heart'), h('span'));
    this.maps = h('ul.maps');
    this.root.replaceChildren(...[
      this.#back(), ...this.#head(now), this.#buttons(), this.#week(now), this.#outlook.root, this.#contact(), this.#facts(),
      h('section', { hidden: true }, h('h2', {}, t('maps')), this.maps), this.#credit(),
    ].filter(Boolean));
    document.title = `${card.place.name} · promised`;
    this.#drawFavourite();
    this.#drawMap();
  }

  #head(now) {
    const { card, names = [], myVisits = 0 } = this.#details;
    const { directory } = this.#app;
    const known = [categoryNames(card, directory), ...names.map(({ name }) => name)].filter(Boolean).join(' · ');
    return [
      h('div.title', {}, h('span.mark', {}, icon(directory.icon(card.categories?.[0]))), h('h1', {}, card.place.name)),
      h('p.quiet', {}, known), card.place.address && h('p', {}, card.place.address),
      h('p.state', { 'data-opening': card.opening }, card.removed ? t('removed') : openingLine(card, now)),
      myVisits > 0 && h('p', {}, h('a', { href: link('visits', 'place', this.#id) }, t('visits.here', { n: t('visits.n', { n: myVisits }) }))),
    ];
  }

  #buttons() {
    const meet = { href: link('new', 'place', this.#id) };
    const was = { href: link('visits', 'new', 'place', this.#id) };
    return h('div.buttons', {}, !this.#details.card.removed && h('a.button.small.primary', meet, t('meet-here')), this.favourite,
      h('a.button.small', was, t('visit.was-here')), small(t('share'), (button) => share(this.#app, button, { placeId: this.#id })));
  }

  #credit() {
    const { source, updatedAt } = this.#details;
    return source && h('p.credits.quiet', {}, t('sources'), ' ', credit(source), '. ', t('updated', { date: date(updatedAt) }));
  }

  #week(now) {
    const { week = [], hours, timeZone, holidaysUnknown } = this.#details;
    if (week.length === 0 && !hours) return null;
    const today = dayIn(timeZone, now);
    const days = openDays(week);
    const rows = days ? [] : week.map((day) => h('div', { 'aria-current': day.date === today ? 'date' : null },
      h('dt', {}, dayName(day.date)), h('dd', { 'data-opening': day.opening }, hoursLine(day))));
    return h('section', {}, h('h2', {}, t('hours')), rows.length > 0 && h('dl.week', {}, rows),
      days && h('p', {}, days), !days && rows.length === 0 && h('p', {}, t('hours.unreadable', { hours })),
      h('p.quiet', {}, [isElsewhere(timeZone, now) && t('hours.zone', { zone: timeZone }), holidaysUnknown && t('hours.holidays')]
        .filter(Boolean).join(' ')));
  }

  #contact() {
    const { phone, website, social } = this.#details;
    const rows = [
      [t('phone'), phone && h('a', { href: 'tel:' + phone.replace(/[^+\d]/g, '') }, phone)],
      [t('website'), website && outside(website, website)], [t('social'), social && outside(social, social)],
    ].filter(([, value]) => value);
    return rows.length > 0 && h('section', {}, h('h2', {}, t('contact')), definitions(rows));
  }

  #facts() {
    const { facts = [] } = this.#details;
    return facts.length > 0 && h('section', {}, h('h2', {}, t('facts')), definitions(facts.map(({ key, value }) => [factName(key), factValue(key, value)])));
  }

  async #loadLinks() {
    const { links = [] } = await this.#app.client.call('getShareText', { placeId: this.#id });
    this.maps.replaceChildren(...links.map(({ name, url }) => h('li', {}, outside(name, url, ['http:', 'https:', 'geo:']))));
    show(this.maps.parentElement, links.length > 0);
  }

  #drawFavourite() {
    const isKept = Boolean(this.#details.card.favouriteId);
    mark(this.favourite, 'aria-pressed', String(isKept));
    setText(this.favourite.lastChild, t('favourite'));
  }

  #drawMap() {
    const { card } = this.#details;
    const { map, directory, search, client } = this.#app;
    if (!map) return;
    const now = client.clock.now();
    const others = (search.found?.cards ?? []).filter(({ placeId }) => placeId !== this.#id);
    map.setSigns([placeSign(card, directory, now, true), ...others.map((one) => placeSign(one, directory, now))]);
    const { latitude = 0, longitude = 0 } = card.place;
    const { south, north, west, east } = map.view.box;
    const isInSight = latitude > south && latitude < north && isBetween(longitude, west, east);
    if (!isInSight || map.view.zoom < 13) map.focus(latitude, longitude);
  }

  #keepOrRemove() {
    const { card } = this.#details;
    this.#app.run(this.favourite, async () => {
      const { client } = this.#app;
      if (card.favouriteId) {
        await client.call('removeFavourite', { favouriteId: card.favouriteId });
        card.favouriteId = '';
        this.#key = randomName();
      } else {
        card.favouriteId = (await client.call('addFavourite', { key: this.#key, placeId: this.#id })).favouriteId;
      }
      this.#drawFavourite();
      this.#app.announce(t(card.favouriteId ? 'favourite.added' : 'favourite.removed', { name: card.place.name }));
    });
  }
}

const definitions = (rows) =>
  h('dl.contact', {}, rows.map(([word, value]) => h('div', {}, h('dt', {}, word), h('dd', {}, value))));

/** The name of a calendar day, in any zone of the viewer. */
const dayName = (day) => date(new Date(`${day}T12:00:00`));

/** `true` if the calendar or the clock of a zone differs from the viewer's, or this browser lacks the zone. */
const isElsewhere = (timeZone, now) => offsetMinutes(timeZone, now) !== offsetMinutes(undefined, now);

/** The name of a fact; an unknown key, which the operator chose, as words. */
const factName = (key) => (has('fact.' + key) ? t('fact.' + key) : key.replaceAll('-', ' '));

/** A fact's value: numbers by the locale, yes and no in words, other texts as they are. */
function factValue(key, value) {
  const word = [`fact.${key}.${value}`, 'fact-value.' + value].find(has);
  if (word) return t(word);
  return COUNTS.includes(key) && /^\d{1,9}$/.test(value) ? amount(Number(value)) : value;
}
