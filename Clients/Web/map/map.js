import { h } from '../dom.js';
import { pointOn } from '../longitudes.js';
import { t } from '../strings.js';
import { Camera } from './camera.js';
import { canvasLayer } from './canvas.js';
import { Crowds } from './crowds.js';
import { drawGrid, drawRings } from './grid.js';
import { fold } from './layout.js';
import { Marks } from './marks.js';
import { Motion } from './motion.js';
import { drawPeople, drawPins, drawPlace, drawTrails, personAt } from './people.js';
import { PlaceSigns } from './signs.js';
import { drawWays, pointsOf } from './ways.js';

/** The time between two frames of an animation: enough for people who walk, and half the work. */
const FRAME_MS = 40;
/** The largest zoom at which the outline shows where a pin is. */
const OUTLINE_ZOOM = 11;

/**
 * The map: the ground (tiles, or an outline of the world and a grid), places, trails and people. It stores its content and draws only changes and
 * animations.
 */
export class MeetupMap extends EventTarget {
  #L;
  #map;
  #layers;
  #motion = new Motion();
  #place = null;
  #pins = [];
  #ways = [];
  #people = [];
  #points = [];
  #colours;
  #frame = null;
  #drawnAt = 0;
  #camera;
  #crowds;
  #signs = new PlaceSigns();
  #outline = null;
  /** Movable points. @type {Marks} */
  marks;

  /**
   * @param {object} L Leaflet's module
   * @param {HTMLElement} element
   * @param {{url: string, attribution: string, minZoom?: number, maxZoom?: number, bounds?: number[]}|undefined} tiles those
   *   of a file with its zooms and its west, south, east and north
   */
  constructor(L, element, tiles) {
    super();
    this.#L = L;
    const options = { attributionControl: false, zoomControl: false, zoomAnimation: false, fadeAnimation: false };
    this.#map = L.map(element, { ...options, minZoom: 2, maxZoom: 20, worldCopyJump: true, zoomSnap: 0.5 });
    this.#readColours();
    this.#map.setView([25, 60], 3);
    this.#crowds = new Crowds(L, this.#map, (person) => this.#pick(person.at[0], person.at[1], person.id));
    this.marks = new Marks(L, this.#map);
    this.#layers = {
      ground: this.#ground(tiles, element),
      trails: this.#canvas('overlayPane', (...args) => this.#drawTrails(...args)),
      places: this.#canvas('overlayPane', (context, map, size) => this.#signs.draw(context, map, size, this.#colours)),
      people: this.#canvas('markerPane', (...args) => this.#drawPeople(...args)),
    };
    this.#camera = new Camera(L, this.#map, element, () => this.#extent(), () => this.#closest(tiles));
    L.control.scale({ imperial: false, position: 'bottomright' }).addTo(this.#map);
    this.#map.on('click', (event) => this.#click(event));
    this.#map.on('moveend resize', () => this.dispatchEvent(new Event('view')));
    new ResizeObserver(() => this.#resized()).observe(element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#recolour());
    document.addEventListener('visibilitychange', () => this.#animate());
  }

  /** Shows one promise's place with its circle; null for none. */
  setPlace(place) {
    if (!place) this.#camera.reset();
    this.#place = place;
    this.redraw();
  }

  /** Shows places by pins, those of a list of promises. */
  setPins(places) {
    this.#pins = places;
    this.redraw();
  }

  /** Shows ways, such as courses. @param {import('./ways.js').Way[]} ways */
  setWays(ways) {
    this.#ways = ways;
    this.#layers.trails.redraw();
  }

  /** Shows places and clusters of the directory, the more important ones first. @param {import('./signs.js').Sign[]} signs */
  setSigns(signs) {
    this.#signs.set(signs);
    this.#layers.places.redraw();
  }

  /** The visible part; see {@link Camera#view}. The event `view` reports a change. */
  get view() {
    return this.#camera.view;
  }

  /** Moves the view to a middle and a zoom, or to a box. */
  look(target) {
    this.#camera.look(target);
  }

  /**
   * Shows people.
   * @param {Array<{id: string, name: string, line: string, initials: string, colour: string, freshness?: string, isMe:
   *   boolean, isSelected: boolean, isArrived: boolean, at?: [number, number], trail: Array<[number, number]>}>} people
   * @param {number} glideMs how long a marker glides to its reported position
   */
  setPeople(people, glideMs) {
    const now = performance.now();
    const shown = new Set();
    let isChanged = people.length !== this.#people.length;
    for (const person of people.filter((one) => one.at)) {
      shown.add(person.id);
      const target = this.#motion.target(person.id);
      if (target && target[0] === person.at[0] && target[1] === person.at[1]) continue;
      this.#motion.aim(person.id, person.at, now, glideMs);
      isChanged = true;
    }
    for (const id of this.#motion.ids) if (!shown.has(id)) this.#motion.forget(id);
    this.#people = people;
    if (isChanged) this.#layers.trails.redraw();
    this.#layers.people.redraw();
    this.#animate();
  }

  /** Shows all content. */
  fit() {
    this.#camera.fit();
  }

  /** Shows all content if part of it is invisible, unless the user has moved the map. */
  keepInView() {
    this.#camera.keepInView();
  }

  /** Moves the view close to a point. */
  focus(latitude, longitude) {
    this.#camera.focus(latitude, longitude);
  }

  /** Moves the view to a person. */
  focusPerson(id) {
    const at = this.#motion.target(id);
    if (at) this.#camera.focus(at[0], at[1]);
  }

  /** Moves the view towards a point that was picked from far away. */
  approach(latitude, longitude) {
    this.#camera.approach(latitude, longitude);
  }

  redraw() {
    this.#layers.ground?.redraw();
    this.#layers.trails.redraw();
    this.#layers.places.redraw();
    this.#layers.people.redraw();
  }

  /** Keeps a visible way visible, as when a phone is turned, unless the user has moved the map. */
  #resized() {
    this.#map.invalidateSize({ animate: false });
    if (this.#ways.length > 0) this.#camera.keepInView();
  }

  // Layers

  /**
   * The outline and a grid; over them the tiles of a file, which may be those of one country; or only the tiles of another
   * host.
   * @returns {object|null} the layer that is drawn here
   */
  #ground(tiles, element) {
    const isWhole = tiles && tiles.maxZoom === undefined;
    const drawn = isWhole ? null : this.#canvas('tilePane', (context, map, size) => this.#drawGround(context, map, size));
    // After everything that the first view needs.
    if (drawn) (globalThis.requestIdleCallback ?? setTimeout)(() => this.#loadOutline());
    if (tiles) this.#addTiles(tiles, element);
    else element.append(h('div.north', { 'aria-hidden': 'true' }, h('span', {}, '▲'), t('north')));
    return drawn;
  }

  #addTiles({ url, attribution, minZoom = 0, maxZoom = 19, bounds }, element) {
    const [west, south, east, north] = bounds ?? [];
    const limits = bounds ? { bounds: [[south, west], [north, east]] } : {};
    this.#L.tileLayer(url, { minZoom: Math.max(0, minZoom - 1), maxZoom: 20, minNativeZoom: minZoom, maxNativeZoom: maxZoom, ...limits }).addTo(this.#map);
    if (attribution) element.append(h('p.attribution', {}, attribution));
  }

  async #loadOutline() {
    try {
      const { Outline } = await import('./outline.js');
      this.#outline = await Outline.load();
    } catch {
      // The grid remains, as without an outline; the next load of the page tries again.
      return;
    }
    this.#layers.ground.redraw();
    this.dispatchEvent(new Event('outline'));
  }

  #canvas(pane, draw) {
    return canvasLayer(this.#L, { pane, draw }).addTo(this.#map);
  }

  #drawGround(context, map, size) {
    const origin = this.#place && [this.#place.latitude, this.#place.longitude];
    context.fillStyle = this.#colours.ground;
    context.fillRect(0, 0, size.x, size.y);
    context.globalAlpha = 1 - (this.#outline?.draw(context, map, size, this.#colours) ?? 0);
    if (context.globalAlpha > 0) drawGrid(context, map, size, origin, this.#colours);
    context.globalAlpha = 1;
    if (origin) drawRings(context, map, size, origin, this.#colours);
  }

  #drawTrails(context, map, size) {
    if (this.#place) drawPlace(context, map, this.#place, this.#colours);
    drawWays(context, map, this.#ways, this.#colours);
    drawTrails(context, map, this.#people, this.#colours);
    const pins = this.#pins.map(({ latitude, longitude, title }) => ({ ...pointOn(map, [latitude, longitude]), title }));
    const { singles, crowds } = fold(pins);
    drawPins(context, [...singles.map((one) => ({ ...one, points: [one] })), ...crowds], this.#colours, size);
  }

  #drawPeople(context, map, size) {
    const now = performance.now();
    this.#drawnAt = now;
    const points = [];
    for (const person of this.#people) {
      const at = this.#motion.at(person.id, now);
      if (!at) continue;
      const { x, y } = pointOn(map, at);
      points.push({ person, x, y });
    }
    const { singles, crowds } = fold(points);
    // The chosen person and the user are on top.
    this.#points = singles.sort((one, other) => weight(one.person) - weight(other.person));
    this.#crowds.draw(crowds);
    drawPeople(context, this.#points, crowds.map(Crowds.box), this.#colours, size);
  }

  // Motion

  #animate() {
    if (this.#frame !== null || document.hidden || !this.#motion.isMoving(performance.now())) return;
    this.#frame = requestAnimationFrame((now) => {
      this.#frame = null;
      if (now - this.#drawnAt >= FRAME_MS) this.#layers.people.redraw();
      if (this.#motion.isMoving(performance.now())) this.#animate();
      else this.#layers.people.redraw();
    });
  }

  #click({ latlng, containerPoint }) {
    const person = personAt(this.#points, containerPoint);
    const place = latlng.wrap();
    this.#pick(place.lat, place.lng, person?.id, this.#signs.under(containerPoint));
  }

  #pick(latitude, longitude, personId, signs = []) {
    this.dispatchEvent(new CustomEvent('pick', { detail: { latitude, longitude, personId, signs } }));
  }

  /** The points of all content. */
  #extent() {
    const points = [...this.#pins.map((one) => [one.latitude, one.longitude]), ...this.#signs.positions, ...this.marks.positions, ...pointsOf(this.#ways)];
    if (this.#place) points.push(...this.#around(this.#place));
    points.push(...this.#people.filter((person) => person.at).map((person) => person.at));
    return points;
  }

  /** Where only the outline shows a promise's surroundings, closer pins would stand on nothing. */
  #closest(tiles) {
    const isDetailed = tiles || this.#place || this.#people.length > 0 || this.#ways.length > 0 || this.#signs.positions.length > 0;
    return isDetailed || this.marks.positions.length > 0 ? Infinity : OUTLINE_ZOOM;
  }

  #around({ latitude, longitude, radiusMetres }) {
    // Includes the streets around a meeting place; the circle of a search fills the map.
    const margin = Math.max(Math.min(radiusMetres * 2.5, 500), radiusMetres * 1.1, 150) / 111_320;
    const wide = margin / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
    return [[latitude - margin, longitude - wide], [latitude + margin, longitude + wide]];
  }

  // Colours

  #recolour() {
    this.#readColours();
    this.redraw();
  }

  #readColours() {
    const style = getComputedStyle(document.documentElement);
    const read = (name) => style.getPropertyValue('--map-' + name).trim();
    const names = ['ground', 'gridFine', 'grid', 'ring', 'label', 'ink', 'accent', 'circle', 'halo', 'good', 'edge', 'surface', 'accentInk', 'water', 'coast', 'border', 'river'];
    this.#colours = Object.fromEntries(names.map((name) => [name, read(name)]));
  }
}

const weight = (person) => (person.isSelected ? 2 : 0) + (person.isMe ? 1 : 0);
