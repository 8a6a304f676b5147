import { h } from '../dom.js';
import { nearTo, together } from '../longitudes.js';
import { t } from '../strings.js';

/** How everything is brought into view: with room for labels, and not closer than streets. */
const FIT = { padding: [48, 56], maxZoom: 17 };
/** Points nearer to the edge than this, in pixels, count as out of sight: their markers would be cut. */
const EDGE = 28;
/** From here on a click tells streets apart. */
const EXACT_ZOOM = 15;

/**
 * Which part of the world is in view. It follows what is shown until somebody chooses where to look; a button brings
 * everything back.
 */
export class Camera {
  #L;
  #map;
  #extent;
  #isChosen = false;

  /**
   * @param {object} L Leaflet's module
   * @param {object} map Leaflet's map
   * @param {HTMLElement} element where the map is
   * @param {() => Array<[number, number]>} extent the points that everything is between; empty for nothing
   */
  constructor(L, map, element, extent) {
    this.#L = L;
    this.#map = map;
    this.#extent = extent;
    const chosen = () => (this.#isChosen = true);
    map.on('dragstart', chosen);
    // Leaflet tells of its own zooming in the same way as of somebody's.
    for (const kind of ['wheel', 'dblclick', 'keydown']) element.addEventListener(kind, chosen);
    const zoom = L.control.zoom({ position: 'topright', zoomInTitle: t('zoom-in'), zoomOutTitle: t('zoom-out') });
    zoom.addTo(map).getContainer().addEventListener('click', chosen);
    this.#button().addTo(map);
  }

  /** Something else is shown: what was chosen before says nothing of it. */
  reset() {
    this.#isChosen = false;
  }

  /** Brings everything that is shown into view. */
  fit() {
    this.#isChosen = false;
    const bounds = this.#bounds();
    if (bounds) this.#map.fitBounds(bounds, { ...FIT, animate: false });
  }

  /** Does so when something is out of sight, or all is much closer together, unless somebody chose where to look. */
  keepInView() {
    const bounds = this.#isChosen ? null : this.#bounds();
    if (!bounds) return;
    const padding = this.#L.point(FIT.padding).multiplyBy(2);
    const closest = Math.min(FIT.maxZoom, this.#map.getBoundsZoom(bounds, false, padding));
    if (!this.#isInSight(bounds) || closest >= this.#map.getZoom() + 1.5) this.fit();
  }

  /** Moves the view to a point, and close. */
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

  /** Moves towards a point that was picked from far away, three steps at a time until streets can be told apart. */
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
    // In the copy of the world that is in view.
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
