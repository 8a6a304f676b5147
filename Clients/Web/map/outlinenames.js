import { language, locale } from '../strings.js';
import { placeLabels } from './layout.js';
import { projected } from './mercator.js';

/** Names of countries are shown below this zoom, those of cities from the other one on. */
const COUNTRIES_BELOW = 7.5;
const CITIES_FROM = 3.5;
/** How many of the world's cities are candidates at zoom 4; three times as many with each further one. */
const CITIES = 70;
/** The most names of cities at a time. */
const MOST = 60;
const COUNTRY_FONT = '600 12px system-ui, sans-serif';
const CITY_FONT = '12px system-ui, sans-serif';

/** The names of countries and cities, in the page's language where it is known. */
export class OutlineNames {
  #countries;
  #cities;
  #widths = new Map();

  /**
   * @param {object} names
   * @param {Array<[code: string, latitude: number, longitude: number, zoom: number]>} names.countries
   * @param {Array<[name: string, latitude: number, longitude: number, byLanguage?: Record<string, string>]>} names.cities the
   *   more important ones first
   */
  constructor({ countries, cities }) {
    const regions = new Intl.DisplayNames(locale, { type: 'region' });
    this.#countries = countries.map(([code, latitude, longitude, zoom]) => ({ name: regions.of(code), at: projected(latitude, longitude), zoom }));
    this.#cities = cities.map(([name, latitude, longitude, names]) => ({ name: names?.[language] ?? name, at: projected(latitude, longitude) }));
  }

  /** Draws the visible names that have room, the more important ones first. */
  draw(context, view, colours) {
    context.lineJoin = 'round';
    context.lineWidth = 3;
    context.strokeStyle = colours.ground;
    context.fillStyle = colours.label;
    const taken = view.zoom < COUNTRIES_BELOW ? this.#drawCountries(context, view) : [];
    if (view.zoom >= CITIES_FROM) this.#drawCities(context, view, taken);
  }

  /** @returns the boxes of the names */
  #drawCountries(context, view) {
    const taken = [];
    context.font = COUNTRY_FONT;
    context.textAlign = 'center';
    for (const country of this.#countries.filter(({ zoom }) => zoom <= view.zoom + 0.5)) {
      const { x, y } = pixel(country.at, view);
      const half = this.#width(context, country.name, COUNTRY_FONT) / 2 + 4;
      const box = { left: x - half, right: x + half, top: y - 10, bottom: y + 8 };
      if (!isVisible(box, view.size) || taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      write(context, country.name, x, y + 4);
    }
    return taken;
  }

  #drawCities(context, view, taken) {
    const candidates = Math.min(this.#cities.length, Math.round(CITIES * 3 ** (view.zoom - 4)));
    const shown = [];
    for (let index = 0; index < candidates && shown.length < MOST; index += 1) {
      const { x, y } = pixel(this.#cities[index].at, view);
      if (x < 0 || y < 0 || x > view.size.x || y > view.size.y) continue;
      shown.push({ x, y, gap: 4, lines: [this.#cities[index].name] });
    }
    context.font = CITY_FONT;
    for (const { item, x, top, align, lines } of placeLabels(shown, taken, (line) => this.#width(context, line, CITY_FONT) + 6, view.size)) {
      context.beginPath();
      context.arc(item.x, item.y, 2.5, 0, 2 * Math.PI);
      context.stroke();
      context.fill();
      context.textAlign = align;
      write(context, lines[0], x, top + 10);
    }
  }

  /** Measured once for each name, because the map is drawn with every step of a pan. */
  #width(context, text, font) {
    const key = font[0] + text;
    if (!this.#widths.has(key)) this.#widths.set(key, context.measureText(text).width);
    return this.#widths.get(key);
  }
}

/** Where a point is in the window, in the copy of the world at its middle. */
function pixel([east, south], { scale, min, size }) {
  const turns = Math.round((min.x + size.x / 2) / scale - east);
  return { x: (east + turns) * scale - min.x, y: south * scale - min.y };
}

function write(context, text, x, y) {
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

const isVisible = ({ left, right, top, bottom }, { x, y }) => right > 0 && left < x && bottom > 0 && top < y;

const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
