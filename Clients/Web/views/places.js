import { h, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { amount } from '../format.js';
import { isBetween, wrapped } from '../longitudes.js';
import { Latest } from '../promised.js';
import { WORLD, boxAround } from '../search.js';
import { explain, t } from '../strings.js';
import { credits } from './credits.js';
import { NearbyPart } from './nearby.js';
import { field, openDialog, small } from './parts.js';
import { PlaceFilterPart } from './placefilter.js';
import { PlaceList, placeRow } from './placelist.js';
import { clusterSign, placeSign } from './placesigns.js';

/** Beyond this zoom the server merges no more places. */
const SINGLE_ZOOM = 18;
/** Places nearer than this in both directions count as one point: some two metres. */
const SAME_DEGREES = 0.00002;
/** The zoom of a region without a map that knows its size. */
const REGION_ZOOM = 8;

/** The directory of places: on the map, by text, and around the user. */
export class PlacesView {
  #app;
  #search;
  #asking;
  #list;
  #nearby;
  #filter;
  #isFirst;
  #isLeft = false;
  #retry = null;
  #onView = () => this.#viewChanged();
  #onPick = ({ detail }) => this.#picked(detail.signs);

  constructor(app) {
    this.#app = app;
    this.#search = app.search;
    this.#isFirst = app.search.view === null;
    this.#asking = new Latest(({ name, fields }) => app.client.call(name, fields), {
      onReply: (reply) => this.#take(reply), onError: (error) => this.#failed(error),
    });
    this.#list = new PlaceList(app.directory, (cluster) => {
      this.#split(cluster);
      this.#list.focus();
    }, (button) => this.#more(button));
    this.#nearby = new NearbyPart(app, this.#search, () => this.#change());
    this.#filter = new PlaceFilterPart(app, this.#search, {
      onChange: () => this.#change(),
      onRegion: ({ box }) => this.#look({ box: wholeBox(box), zoom: REGION_ZOOM }),
    });
    this.#compose();
    if (!this.#isFirst) app.map?.look(this.#search.view);
    app.map?.addEventListener('view', this.#onView);
    app.map?.addEventListener('pick', this.#onPick);
  }

  leave() {
    this.#isLeft = true;
    clearTimeout(this.#retry);
    this.#asking.stop();
    this.#app.map?.removeEventListener('view', this.#onView);
    this.#app.map?.removeEventListener('pick', this.#onPick);
  }

  async online() {
    clearTimeout(this.#retry);
    try {
      await this.#filter.load();
      if (this.#isFirst) await this.#showAll();
      if (this.#isLeft) return;
      this.#isFirst = false;
      if (this.#search.found) this.#draw();
      this.#asking.wantNow(this.#request());
    } catch (error) {
      this.#failed(error);
      // While the server builds its directory, it estimates the remaining time.
      if (error.retryAfterMs > 0 && !this.#isLeft) this.#retry = setTimeout(() => this.online(), error.retryAfterMs);
    }
  }

  #compose() {
    const text = field(t('search-places'), {
      type: 'search', name: 'text', maxlength: 60, value: this.#search.text, autocomplete: 'off', enterkeyhint: 'search',
    }, t('search-hint'));
    text.querySelector('input').addEventListener('input', ({ target }) => this.#change({ text: target.value }));
    this.all = small(t('show-all'), () => this.#look({ box: WORLD, zoom: 2 }));
    show(this.all, this.#app.map === null);
    this.status = h('p.quiet', { role: 'status' }, t('loading'));
    this.credits = h('p.credits.quiet');
    const form = h('form.stack', { role: 'search', onsubmit: (event) => event.preventDefault() }, text,
      h('div.chips', {}, this.#nearby.button, this.all), this.#nearby.radius, this.#filter.root);
    this.root = h('section', {}, h('div.head', {}, h('h1', {}, t('places')),
      h('a.button.small', { href: link('places', 'favourites') }, t('favourites'))),
      form, this.status, this.#list.root, this.credits);
  }

  // Asking

  #request() {
    return this.#search.request(this.#app.client.clock.now());
  }

  #change(changes = {}) {
    Object.assign(this.#search, changes);
    this.#asking.want(this.#request());
  }

  #viewChanged() {
    this.#search.view = this.#app.map.view;
    if (this.#search.mode === 'view' && !this.#isFirst) this.#asking.want(this.#request());
  }

  /** Moves the map. Without a map the list still shows a part of the world. */
  #look(view) {
    if (this.#app.map) return this.#app.map.look(view);
    this.#search.view = { middle: middleOf(view.box), ...view };
    return this.#change();
  }

  /** Shows all places the first time. */
  async #showAll() {
    const { cards = [], clusters = [] } = await this.#app.client.call('viewPlaces', { box: WORLD, zoom: 2 });
    const box = boxAround(cards, clusters);
    if (this.#isLeft) return;
    if (box) this.#app.map?.look({ box });
    if (this.#app.map) this.#search.view = this.#app.map.view;
  }

  async #more(button) {
    const { found } = this.#search;
    if (!found?.cursor) return this.#draw();
    return this.#app.run(button, async () => {
      const { name, fields } = this.#search.request(this.#app.client.clock.now(), found.cursor);
      const reply = await this.#app.client.call(name, fields);
      // Another search has replaced this one meanwhile.
      if (this.#isLeft || this.#search.found !== found) return;
      this.#search.append(reply);
      this.#draw();
    });
  }

  #take(reply) {
    this.#search.take(reply);
    this.#list.restart();
    this.#draw();
    if (this.#search.mode === 'text' && !this.#hasSignsInView()) this.#app.map?.fit();
  }

  #failed(error) {
    if (!error.code) throw error;
    if (!error.code.startsWith('client.')) setText(this.status, explain(error));
  }

  // Drawing

  #draw() {
    const { search } = this.#app;
    const { mode, cards, clusters, total, cursor, sources } = search.found;
    const at = this.#at();
    this.#nearby.draw();
    this.#list.draw(search.found, at);
    const key = cursor ? 'found.more' : total === 0 ? 'found.none.' + mode : total === 1 ? 'found.one' : 'found';
    setText(this.status, t(key, { n: amount(cursor ? cards.length : total) }));
    this.credits.replaceChildren(...credits(sources));
    this.#app.map?.setSigns([...cards.map((card) => placeSign(card, this.#app.directory, at)),
      ...clusters.map((cluster) => clusterSign(cluster, this.#app.directory))]);
  }

  /** The instant of the shown states. */
  #at() {
    const { openAt } = this.#search;
    return openAt && openAt !== 'now' ? openAt : this.#app.client.clock.now();
  }

  #hasSignsInView() {
    const { map, search } = this.#app;
    if (!map || search.found.cards.length === 0) return true;
    const { south, north, west, east } = map.view.box;
    return search.found.cards.some(({ place: { latitude = 0, longitude = 0 } }) =>
      latitude > south && latitude < north && isBetween(longitude, west, east));
  }

  // Choosing

  #picked(signs) {
    const [first] = signs;
    const places = signs.filter(({ card }) => card);
    if (first?.cluster) this.#split(first.cluster);
    else if (places.length === 1) this.#app.go('place', first.id);
    else if (places.length > 1) this.#part(places.map(({ card }) => card));
  }

  /** Moves to the zoom at which overlapping places separate; a list shows those that never do. */
  #part(cards) {
    const { map } = this.#app;
    const before = map.view.exactZoom;
    const box = boxAround(cards, []);
    const isWide = Math.max(box.north - box.south, box.east - box.west) > SAME_DEGREES;
    if (isWide) map.look({ box });
    if (!isWide || map.view.exactZoom <= before) this.#choose(cards);
  }

  /** Shows a list of places with overlapping signs. */
  #choose(cards) {
    const rows = cards.map((card) => {
      const row = placeRow(this.#app.directory);
      row.update({ card, at: this.#at() });
      return row.root;
    });
    const dialog = openDialog(t('here', { n: cards.length }), h('ul.rows.places', { onclick: () => dialog.close() }, rows));
  }

  /** Moves to the zoom at which the places of a cluster separate. */
  #split({ latitude = 0, longitude = 0, expandZoom = 0, box }) {
    // Places at one point never separate: from the zoom without clusters on, a list shows them.
    const zoom = expandZoom > 20 ? SINGLE_ZOOM : expandZoom;
    const exactZoom = Math.max(zoom, this.#app.map?.view.exactZoom ?? 0);
    this.#look({ middle: { latitude, longitude }, exactZoom, box: wholeBox(box), zoom });
  }
}

/** A box of the protocol's JSON, which omits zeros. */
const wholeBox = (box) => ({ south: 0, west: 0, north: 0, east: 0, ...box });

const middleOf = ({ south, west, north, east }) =>
  ({ latitude: (south + north) / 2, longitude: wrapped((west + (east < west ? east + 360 : east)) / 2) });
