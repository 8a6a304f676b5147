import { h, keep, mark, setText } from '../dom.js';
import { nearTo } from '../longitudes.js';

/** The step of an arrow key, in pixels of the map, alone and with Shift. */
const [STEP, LEAP] = [6, 48];
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
/** The distance of a mark moved by keys from the edge of the map, in pixels. */
const MARGIN = 56;
/** A pointer that moved less than this, in pixels, clicked the mark. */
const SLACK = 4;

/**
 * A movable point on the map.
 *
 * @typedef {object} Mark
 * @property {string} id
 * @property {[number, number]} at latitude and longitude
 * @property {number} number
 * @property {string} name
 * @property {string} label the text for screen readers
 * @property {boolean} isSelected
 */

/**
 * Movable points on the map: buttons for pointers and arrow keys. Events: `move` (detail: `id`, and `at`, the requested
 * position), `pick` (detail: `id`). The marks stay at their positions until {@link set}.
 */
export class Marks extends EventTarget {
  #L;
  #map;
  #pane;
  #marks = [];

  /**
   * @param {object} L Leaflet's module
   * @param {object} map Leaflet's map
   */
  constructor(L, map) {
    super();
    this.#L = L;
    this.#map = map;
    this.#pane = map.createPane('marks');
    map.on('zoom viewreset resize moveend', () => this.set(this.#marks));
  }

  /** Replaces the marks. @param {Mark[]} marks */
  set(marks) {
    this.#marks = marks;
    keep(this.#pane, marks, ({ id }) => id, ({ id }) => this.#make(id));
  }

  /** The positions of all. */
  get positions() {
    return this.#marks.map(({ at }) => at);
  }

  /** Moves the map to show a mark. */
  reveal(id) {
    const found = this.#find(id);
    if (found) this.#map.panInside(this.#near(found.at), { padding: [MARGIN, MARGIN], animate: false });
  }

  /** Moves a mark by an arrow key. @returns {boolean} false for another key */
  pressed({ key, shiftKey }, id) {
    const step = ARROWS[key];
    if (!step) return false;
    const far = shiftKey ? LEAP : STEP;
    this.#move(id, this.#find(id).at, step.map((one) => one * far));
    this.reveal(id);
    return true;
  }

  /** A point in the visible copy of the world. */
  #near([latitude, longitude]) {
    return [latitude, nearTo(longitude, this.#map.getCenter().lng)];
  }

  #find(id) {
    return this.#marks.find((one) => one.id === id);
  }

  /** Moves by pixels from a point; a move along a meridian stays on it. */
  #move(id, from, pixels) {
    const { lat, lng } = this.#map.unproject(this.#map.project(from).add(pixels)).wrap();
    this.dispatchEvent(new CustomEvent('move', { detail: { id, at: [lat, lng] } }));
  }

  #make(id) {
    const [number, name] = [h('span.number'), h('span.name')];
    const root = h('button.map-mark', {
      type: 'button', onclick: () => this.dispatchEvent(new CustomEvent('pick', { detail: { id } })),
      onkeydown: (event) => {
        // Keys pressed here do not move the map.
        event.stopPropagation();
        if (this.pressed(event, id)) event.preventDefault();
      },
    }, number, name);
    this.#L.DomEvent.disableClickPropagation(root);
    this.#makeDraggable(root, id);
    return { root, update: (one) => {
      setText(number, String(one.number));
      setText(name, one.name);
      mark(root, 'aria-label', one.label);
      mark(root, 'data-selected', one.isSelected);
      this.#L.DomUtil.setPosition(root, this.#map.latLngToLayerPoint(this.#near(one.at)));
    } };
  }

  #makeDraggable(root, id) {
    /** The positions of pointer and mark at the press; null while not pressed. */
    let start = null;
    const end = () => (start = null);
    root.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      root.setPointerCapture(event.pointerId);
      start = { x: event.clientX, y: event.clientY, at: this.#find(id).at, isMoved: false };
    });
    root.addEventListener('pointermove', ({ clientX, clientY }) => {
      if (!start) return;
      const [x, y] = [clientX - start.x, clientY - start.y];
      start.isMoved ||= Math.hypot(x, y) >= SLACK;
      if (start.isMoved) this.#move(id, start.at, [x, y]);
    });
    for (const kind of ['pointerup', 'pointercancel']) root.addEventListener(kind, end);
  }
}
