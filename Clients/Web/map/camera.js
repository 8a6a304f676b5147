import { h } from '../dom.js';
import { nearTo, together } from '../longitudes.js';
import { t } from '../strings.js';

/** The limits for showing everything: with room for labels, and not closer than streets. */
const FIT = { padding: [48, 56], maxZoom: 17 };
/** Points nearer to the edge than this, in pixels, count as invisible: their markers would be cut. */
const EDGE = 28;
/** From this zoom on a click distinguishes streets. */
const EXACT_ZOOM = 15;

/**
 * The visible part of the world. It follows the content until the user moves the map; a button shows everything again.
 */
export class Camera {
  #L;
  #map;
  #extent;
  #closest;
  #isChosen = false;

  /**
   * @param {object} L Leaflet's module
   * @param {object} map Leaflet's map
   * @param {HTMLElement} element the map's element
   * @param {() => Array<[number, number]>} extent the points to show; empty for none
   * @param {() => number} closest the largest zoom that shows them
   */
  constructor(L, map, element, extent, closest) {
    this.#L = L;
    this.#map = map;
    this.#extent = extent;
    this.#closest = closest;
    const chosen = () => (this.#isChosen = true);
    map.on('dragstart', chosen);
    // Leaflet's events do not distinguish its own zooming from the user's.
    for (const kind of ['wheel', 'dblclick', 'keydown']) element.addEventListener(kind, chosen);
    const zoom = L.control.zoom({ position: 'topright', zoomInTitle: t('zoom-in'), zoomOutTitle: t('zoom-out') });
    zoom.addTo(map).getContainer().addEventListener('click', chosen);
    this.#button().addTo(map);
  }

  /** Resets the user's choice, because the content is another one. */
  reset() {
    this.#isChosen = false;
  }

  /** Shows all content. */
  fit() {
    this.#isChosen = false;
    const bounds = this.#bounds();
    if (bounds) this.#map.fitBounds(bounds, { padding: FIT.padding, maxZoom: Math.min(FIT.maxZoom, this.#closest()), animate: false });
  }

  /**
   * Shows all content if part of it is invisible, or all is much closer together, unless the user has moved the map.
   */
  keepInView() {
    const bounds = this.#isChosen ? null : this.#bounds();
    if (!bounds) return;
    const padding = this.#L.point(FIT.padding).multiplyBy(2);
    const closest = Math.min(FIT.maxZoom, this.#closest(), this.#map.getBoundsZoom(bounds, false, padding));
    if (!this.#isInSight(bounds) || closest >= this.#map.getZoom() + 1.5) this.fit();
  }

  /** Moves the view close to a point. */
  focus(latitude, longitude, zoom = Math.max(this.#map.getZoom(), 16)) {
    this.#isChosen = true;
    this.#map.setView([latitude, longitude], zoom, { animate: false });
  }

  /**
   * The visible part: its box, which crosses 180° if `west` is greater than `east`, its middle, and its zoom as a whole
   * number.
   */
  get view() {
    const bounds = this.#map.getBounds();
    const { lat, lng } = this.#map.getCenter().wrap();
    const isWhole = bounds.getEast() - bounds.getWest() >= 360;
    const wrap = (degrees) => this.#L.latLng(0, degrees).wrap().lng;
    const [west, east] = isWhole ? [-180, 180] : [wrap(bounds.getWest()), wrap(bounds.getEast())];
    const box = { south: Math.max(-90, bounds.getSouth()), west, north: Math.min(90, bounds.getNorth()), east };
    return { box, middle: { latitude: lat, longitude: lng }, zoom: Math.floor(this.#map.getZoom()), exactZoom: this.#map.getZoom() };
  }

  /** Moves the view. @param {{middle?: object, exactZoom?: number, box?: object}} target a middle with a zoom, else a box */
  look({ middle, exactZoom, box }) {
    this.#isChosen = true;
    if (middle) this.#map.setView([middle.latitude, middle.longitude], exactZoom, { animate: false });
    else this.#map.fitBounds([[box.south, box.west], [box.north, box.east < box.west ? box.east + 360 : box.east]], { ...FIT, animate: false });
  }

  /** Moves towards a point that was picked from far away, three steps at a time until streets are distinguishable. */
  approach(latitude, longitude) {
    const zoom = this.#map.getZoom();
    if (zoom < EXACT_ZOOM) this.focus(latitude, longitude, Math.min(EXACT_ZOOM, zoom + 3));
  }

  #isInSight(bounds) {
    const edge = this.#L.point(EDGE, EDGE);
    const corners = [bounds.getNorthWest(), bounds.getSouthEast()].map((corner) => this.#map.latLngToContainerPoint(corner));
    return this.#L.bounds(edge, this.#map.getSize().subtract(edge)).contains(this.#L.bounds(corners));
  }

  #bounds() {
    const points = together(this.#extent());
    if (points.length === 0) return null;
    const bounds = this.#L.latLngBounds(points);
    // In the visible copy of the world.
    const { lng } = bounds.getCenter();
    const shift = nearTo(lng, this.#map.getCenter().lng) - lng;
    return this.#L.latLngBounds(points.map(([latitude, longitude]) => [latitude, longitude + shift]));
  }

  #button() {
    const control = this.#L.control({ position: 'topright' });
    control.onAdd = () => {
      const words = { title: t('show-all'), 'aria-label': t('show-all') };
      const bar = h('div.leaflet-bar', {}, h('button.fit', { type: 'button', ...words, onclick: () => this.fit() }));
      this.#L.DomEvent.disableClickPropagation(bar);
      return bar;
    };
    return control;
  }
}
