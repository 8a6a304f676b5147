import { h, keep, mark, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { amount, away } from '../format.js';
import { icon } from '../icons.js';
import { openingLine } from '../opening.js';
import { t } from '../strings.js';
import { small } from './parts.js';

/** The rows that each press of "more" adds. */
const STEP = 40;

/** Places and clusters as a list: their access by keyboard and screen reader. */
export class PlaceList {
  #directory;
  #onCluster;
  #limit = STEP;

  /**
   * @param {Directory} directory
   * @param {(cluster: object) => void} onCluster a cluster was chosen
   * @param {(button: Element) => void} onMore rows after the last one are requested
   */
  constructor(directory, onCluster, onMore) {
    this.#directory = directory;
    this.#onCluster = onCluster;
    this.list = h('ul.rows.places', { tabindex: '-1', 'aria-label': t('places') });
    this.more = small(t('more'), (button) => {
      this.#limit += STEP;
      onMore(button);
    });
    this.root = h('div.stack', {}, this.list, this.more);
  }

  /** Shows the first rows of another result. */
  restart() {
    this.#limit = STEP;
  }

  /**
   * @param {object} found the result of a {@link PlaceSearch}
   * @param {number} at the instant of the states
   */
  draw({ cards, clusters, cursor }, at) {
    const rows = [...cards.map((card) => ({ key: card.placeId, card, at })),
      ...clusters.map((cluster) => ({ key: clusterKey(cluster), cluster }))];
    keep(this.list, rows.slice(0, this.#limit), ({ key }) => key,
      ({ card }) => (card ? placeRow(this.#directory) : this.#clusterRow()));
    show(this.list, rows.length > 0);
    show(this.more, rows.length > this.#limit || cursor !== '');
  }

  /** Moves the keyboard to the list, after a choice that replaces its rows. */
  focus() {
    this.list.focus({ preventScroll: true });
  }

  #clusterRow() {
    const [sum, name, line] = [h('span.sum', { 'aria-hidden': 'true' }), h('span'), h('span.quiet')];
    let latest = null;
    const button = h('button.cluster', { type: 'button', onclick: () => this.#onCluster(latest) }, sum,
      h('span.grow', {}, name, ' ', line));
    return { root: h('li.row', {}, button), update: ({ cluster }) => {
      latest = cluster;
      setText(sum, amount(cluster.count));
      setText(name, t('cluster', { n: amount(cluster.count) }));
      setText(line, clusterLine(cluster, this.#directory));
    } };
  }
}

/** The categories of a cluster with their counts, the largest first. */
export const clusterLine = ({ categories = [] }, directory) =>
  categories.slice(0, 3).map(({ id, count }) => `${directory.name(id)} ${amount(count)}`).join(' · ');

/** Identifies a cluster among those of a view. */
export const clusterKey = ({ latitude = 0, longitude = 0, count }) => `cluster-${latitude}-${longitude}-${count}`;

/** A row of a place, for {@link keep}; its items are `{card, at}` with the instant of the state. */
export function placeRow(directory, ...actions) {
  const [picture, cover] = [h('span.mark'), h('a.cover')];
  const [state, line] = [h('span.state'), h('span.quiet')];
  const heart = h('span.kept', {}, icon('heart'), h('span.unseen', {}, t('favourite')));
  const root = h('li.row.place', {}, picture, h('span.grow', {}, cover, heart, line, state), ...actions);
  let shown = '';
  return { root, update: ({ card, at }) => {
    const key = directory.icon(card.categories?.[0]);
    if (key !== shown) picture.replaceChildren(icon(key));
    shown = key;
    setText(cover, card.place.name);
    mark(cover, 'href', link('place', card.placeId));
    setText(line, [categoryNames(card, directory), card.distanceMetres !== undefined && away(card.distanceMetres),
      card.place.address].filter(Boolean).join(' · '));
    setText(state, card.removed ? t('removed') : openingLine(card, at));
    mark(state, 'data-opening', card.opening);
    show(heart, Boolean(card.favouriteId));
  } };
}

/** The names of a place's categories. */
export const categoryNames = ({ categories = [] }, directory) => categories.map((id) => directory.name(id)).join(', ');
