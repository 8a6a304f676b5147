import { arcAround } from './longitudes.js';

/** The whole world as a box. */
export const WORLD = { south: -90, west: -180, north: 90, east: 180 };
/** From this zoom on, a search prefers places near the middle of the map. */
const NEAR_ZOOM = 9;
const PAGE = 50;

/** `true` if a text can be searched for: it has a letter or a digit. */
export const isSearchable = (text) => /[\p{L}\p{N}]/u.test(text);

/** A search of the directory with its results. It survives the view, so that Back from a place shows the same list. */
export class PlaceSearch {
  text = '';
  categories = new Set();
  region = '';
  /** An instant, `now`, or an empty text for any time. */
  openAt = '';
  isFavouritesOnly = false;
  /** The user's position in a search around it; null otherwise. */
  here = null;
  radiusMetres = 2000;
  /** The last visible part of the map; null before the first. */
  view = null;
  /**
   * The latest result: `{mode, cards, clusters, total, cursor, sources}`; null before the first. With a cursor `total`
   * is the number of places known so far.
   */
  found = null;

  /** `text`, `nearby` or `view`: the request that finds the places. */
  get mode() {
    if (isSearchable(this.text)) return 'text';
    return this.here ? 'nearby' : 'view';
  }

  /** How many filters are set. */
  get filterCount() {
    return this.categories.size + [this.region, this.openAt, this.isFavouritesOnly].filter(Boolean).length;
  }

  /** Removes all filters. */
  clearFilters() {
    this.categories.clear();
    Object.assign(this, { region: '', openAt: '', isFavouritesOnly: false });
  }

  /**
   * The request that finds the places.
   * @param {number} now the server's time in milliseconds
   * @param {string} [cursor] of the previous page
   * @returns {{name: string, fields: object}}
   */
  request(now, cursor = '') {
    const filter = this.#filter(now);
    const page = { ...(filter && { filter }), ...(cursor && { cursor }) };
    if (this.mode === 'text') {
      return { name: 'searchPlaces', fields: { text: this.text.trim(), ...this.#near(), limit: PAGE, ...page } };
    }
    if (this.mode === 'nearby') {
      const { here, radiusMetres } = this;
      return { name: 'nearbyPlaces', fields: { ...here, radiusMetres, limit: PAGE, ...page } };
    }
    const { box, zoom } = this.view ?? { box: WORLD, zoom: 2 };
    return { name: 'viewPlaces', fields: { box, zoom, ...page } };
  }

  /** Replaces the result by a reply. */
  take({ cards = [], clusters = [], total, cursor = '', sources = [] }) {
    this.found = { mode: this.mode, cards, clusters, total: total ?? cards.length, cursor, sources };
  }

  /** Adds the next page, without places that are already in the result. */
  append({ cards = [], cursor = '', sources = [] }) {
    const { found } = this;
    const known = new Set(found.cards.map(({ placeId }) => placeId));
    const names = new Set(found.sources.map(({ name }) => name));
    found.cards = [...found.cards, ...cards.filter(({ placeId }) => !known.has(placeId))];
    found.sources = [...found.sources, ...sources.filter(({ name }) => !names.has(name))];
    Object.assign(found, { cursor, total: found.cards.length });
  }

  #near() {
    if (this.here) return { near: this.here };
    return this.view && this.view.zoom >= NEAR_ZOOM ? { near: this.view.middle } : {};
  }

  #filter(now) {
    const openAt = this.openAt === 'now' ? new Date(now).toISOString() : this.openAt;
    const filter = {
      ...(this.categories.size && { categories: [...this.categories] }), ...(this.region && { regions: [this.region] }),
      ...(openAt && { openAt }), ...(this.isFavouritesOnly && { favourites: true }),
    };
    return Object.keys(filter).length ? filter : null;
  }
}

/** The smallest box around boxes and positions; null for none. `east` is more than 180 if it crosses 180°. */
export function boxAround(cards, clusters) {
  const boxes = [
    ...cards.map(({ place: { latitude = 0, longitude = 0 } }) =>
      ({ south: latitude, north: latitude, west: longitude, east: longitude })),
    ...clusters.map(({ box: { south = 0, west = 0, north = 0, east = 0 } }) =>
      ({ south, west, north, east })),
  ];
  if (boxes.length === 0) return null;
  const least = (key) => Math.min(...boxes.map((box) => box[key]));
  const most = (key) => Math.max(...boxes.map((box) => box[key]));
  const { west, east } = arcAround(boxes);
  return { south: least('south'), west, north: most('north'), east };
}
