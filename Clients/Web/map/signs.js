import { outline } from '../icons.js';
import { pointOn } from '../longitudes.js';
import { locale } from '../strings.js';
import { boxAround, gather, placeLabels } from './layout.js';
import { drawLabels, widthIn } from './people.js';

const RADIUS = 14;
/** The tolerance of a touch beside a sign, in pixels from its edge. */
const REACH = 8;
const ICON = 18;
/** The least gap between two signs, in pixels: nearer ones are merged into one with their number. */
const GAP = 2;
const compact = new Intl.NumberFormat(locale, { notation: 'compact' });

/**
 * A place or a cluster on the map.
 *
 * @typedef {object} Sign
 * @property {string} id
 * @property {[number, number]} at latitude and longitude
 * @property {string} name
 * @property {string} [line] a second line, such as the opening state
 * @property {string} [icon] of a place: the key of its icon
 * @property {string} [opening] of a place: its state
 * @property {boolean} [isSelected]
 * @property {number} [count] of a cluster: the number of its places
 */

/** The places and clusters of the directory on the map. */
export class PlaceSigns {
  #signs = [];
  #points = [];
  #outlines = new Map();
  #widths = new Map();

  /** Replaces the signs, the more important ones first. @param {Sign[]} signs */
  set(signs) {
    this.#signs = signs;
    this.#widths.clear();
  }

  get positions() {
    return this.#signs.map(({ at }) => at);
  }

  /** The signs at a point of the map, the nearest first; beside all signs the one within reach, if any. */
  under({ x, y }) {
    const near = this.#points.map(({ signs, radius, ...at }) => ({ signs, gap: Math.hypot(at.x - x, at.y - y) - radius }))
      .sort((one, other) => one.gap - other.gap);
    const hit = near.filter(({ gap }) => gap <= 0);
    return (hit.length ? hit : near.slice(0, 1).filter(({ gap }) => gap <= REACH)).flatMap(({ signs }) => signs);
  }

  draw(context, map, size, colours) {
    const all = this.#signs.map((sign) => ({ sign, signs: [sign], ...pointOn(map, sign.at) }))
      .filter(({ x, y }) => x > -40 && y > -40 && x < size.x + 40 && y < size.y + 40);
    const [chosen, loose] = [all.filter(({ sign }) => sign.isSelected), all.filter(({ sign }) => !sign.isSelected)];
    // The large ones first: what lies on them joins them.
    loose.sort((one, other) => (other.sign.count ?? 1) - (one.sign.count ?? 1));
    this.#points = [...chosen, ...gather(loose, touching).map(joined)].map((point) => ({ ...point, radius: radiusOf(point.sign) }));
    for (const point of this.#points.toReversed()) {
      if (point.sign.count) drawCluster(context, point, colours);
      else this.#drawPlace(context, point, colours);
    }
    const items = this.#points.map(({ sign, radius, x, y }) => ({ x, y, gap: radius + 4, lines: [sign.name, sign.line] }));
    const discs = this.#points.map((point) => boxAround(point, point.radius));
    drawLabels(context, placeLabels(items, discs, this.#widthIn(context), size), colours);
  }

  #drawPlace(context, { sign, x, y }, colours) {
    if (sign.isSelected) disc(context, x, y, RADIUS + 6, colours.halo);
    const isClosed = sign.opening === 'CLOSED';
    disc(context, x, y, RADIUS, colours.surface);
    context.lineWidth = 2.5;
    context.strokeStyle = isClosed ? colours.ring : sign.opening === 'OPEN' ? colours.good : colours.accent;
    // Closed places differ not only by their colour.
    if (isClosed) context.setLineDash([3, 3]);
    context.stroke();
    context.setLineDash([]);
    context.save();
    context.translate(x - ICON / 2, y - ICON / 2);
    context.scale(ICON / 24, ICON / 24);
    context.lineWidth = 2;
    context.lineJoin = 'round';
    context.lineCap = 'round';
    context.strokeStyle = isClosed ? colours.label : colours.ink;
    context.stroke(this.#outline(sign.icon));
    context.restore();
  }

  #outline(key) {
    if (!this.#outlines.has(key)) this.#outlines.set(key, new Path2D(outline(key)));
    return this.#outlines.get(key);
  }

  /** Measured once for each text, because the map is drawn with every step of a pan. */
  #widthIn(context) {
    const measure = widthIn(context);
    return (line, index) => {
      const key = `${index} ${line}`;
      if (!this.#widths.has(key)) this.#widths.set(key, measure(line, index));
      return this.#widths.get(key);
    };
  }
}

/** A group as one point, where its first sign is. @param {Array<{sign: Sign, x: number, y: number}>} group */
function joined(group) {
  const [first] = group;
  if (group.length === 1) return first;
  const signs = group.map(({ sign }) => sign);
  const count = signs.reduce((sum, sign) => sum + (sign.count ?? 1), 0);
  const isAlike = signs.every(({ name, count: own }) => own && name === first.sign.name);
  return { x: first.x, y: first.y, signs, sign: { id: first.sign.id, count, name: isAlike ? first.sign.name : '', line: '' } };
}

const touching = (one, other) => radiusOf(one.sign) + radiusOf(other.sign) + GAP;

const radiusOf = ({ count }) => (count ? 15 + Math.min(10, 3 * Math.log10(count)) : RADIUS);

function drawCluster(context, { sign, radius, x, y }, colours) {
  disc(context, x, y, radius + 4, colours.circle);
  disc(context, x, y, radius, colours.accent);
  context.fillStyle = colours.accentInk;
  context.font = '700 13px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(compact.format(sign.count), x, y + 0.5);
  context.textBaseline = 'alphabetic';
}

function disc(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}
