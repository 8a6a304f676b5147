import { h, keep, mark, setText, show } from '../dom.js';
import { t } from '../strings.js';

/** The most names beside a crowd; the others are in its list. */
const NAMED = 3;
/** The width of a list, unless the map is narrower. */
const LIST_WIDTH = 240;

let count = 0;

/**
 * People at the same place, shown as one sign with their number, which opens a list. Buttons and lists of the page
 * rather than pictures, so that the keyboard and screen readers reach them.
 */
export class Crowds {
  #L;
  #map;
  #pane;
  #onPick;
  #shown = [];

  /**
   * @param {object} L Leaflet's module
   * @param {object} map Leaflet's map
   * @param {(person: object) => void} onPick a person was chosen from a list
   */
  constructor(L, map, onPick) {
    this.#L = L;
    this.#map = map;
    this.#onPick = onPick;
    this.#pane = map.createPane('crowds');
    map.on('click', () => this.#pane.querySelectorAll('[aria-expanded=true]').forEach((sign) => sign.click()));
  }

  /** Replaces the crowds. @param {Array<{x: number, y: number, points: Array<{person: object}>}>} crowds */
  draw(crowds) {
    const known = [...this.#shown];
    // A crowd keeps its identity when people join or leave, so that its list stays open and focused.
    this.#shown = crowds.map((crowd) => {
      const people = crowd.points.map(({ person }) => person);
      const index = known.findIndex((one) => one.people.some(({ id }) => people.some((person) => person.id === id)));
      const before = index < 0 ? null : known.splice(index, 1)[0];
      return { key: before?.key ?? `crowd-${(count += 1)}`, x: crowd.x, y: crowd.y, people };
    });
    keep(this.#pane, this.#shown, (crowd) => crowd.key, (crowd) => this.#make(crowd.key));
  }

  /** The part of the map that a sign covers, where labels are not placed. */
  static box({ x, y }) {
    return { left: x - 62, right: x + 62, top: y - 22, bottom: y + 56 };
  }

  #make(id) {
    const number = h('span.count', { 'aria-hidden': 'true' });
    const label = h('span.here');
    const names = h('span.names');
    const list = h('ul', { id, hidden: true });
    const sign = h('button.sign', { type: 'button', 'aria-expanded': 'false', 'aria-controls': id }, number, label, names);
    const root = h('div.crowd', {}, sign, list);
    const open = (isOpen) => {
      sign.setAttribute('aria-expanded', String(isOpen));
      show(list, isOpen);
    };
    sign.addEventListener('click', () => open(list.hidden));
    root.addEventListener('keydown', (event) => {
      // Keys pressed here do not move the map.
      event.stopPropagation();
      if (event.key !== 'Escape' || list.hidden) return;
      open(false);
      sign.focus();
    });
    root.addEventListener('focusout', ({ relatedTarget }) => relatedTarget && !root.contains(relatedTarget) && open(false));
    this.#L.DomEvent.disableClickPropagation(root);
    this.#L.DomEvent.disableScrollPropagation(list);
    return { root, update: (crowd) => this.#update(crowd, { root, sign, number, label, names, list }) };
  }

  #update({ x, y, people }, { root, sign, number, label, names, list }) {
    const here = t('here', { n: people.length });
    const all = people.map(({ name }) => name);
    setText(number, String(people.length));
    setText(label, here);
    setText(names, all.slice(0, NAMED).join(', ') + (all.length > NAMED ? ' …' : ''));
    mark(sign, 'aria-label', `${here}: ${all.join(', ')}`);
    mark(root, 'data-arrived', people.every(({ isArrived }) => isArrived));
    mark(root, 'data-chosen', people.some(({ isMe, isSelected }) => isMe || isSelected));
    keep(list, people, ({ id }) => id, (person) => this.#row(person));
    const size = this.#map.getSize();
    this.#L.DomUtil.setPosition(root, this.#map.containerPointToLayerPoint([Math.round(x), Math.round(y)]));
    // The list opens towards the larger side, and is moved inwards at the edge.
    const [above, below] = [y - 36, size.y - y - 92];
    mark(list, 'data-up', above > below);
    list.style.maxHeight = `${Math.round(Math.max(above, below, 120))}px`;
    const most = Math.max(0, size.x - LIST_WIDTH) / 2;
    const shift = Math.max(-most, Math.min(most, x - size.x / 2)) - (x - size.x / 2);
    list.style.translate = `${Math.round(shift - LIST_WIDTH / 2)}px 0`;
  }

  #row({ id }) {
    const disc = h('span.avatar', { 'aria-hidden': 'true' });
    const name = h('span.name');
    const line = h('span.quiet');
    const button = h('button', { type: 'button' }, disc, h('span', {}, name, ' ', line));
    let latest = null;
    button.addEventListener('click', () => this.#onPick(latest));
    return {
      root: h('li', { 'data-person': id }, button),
      update: (person) => {
        latest = person;
        setText(disc, person.initials);
        disc.style.background = person.colour;
        setText(name, person.name);
        setText(line, person.line ?? '');
        mark(button, 'aria-current', person.isSelected ? 'true' : null);
      },
    };
  }
}
