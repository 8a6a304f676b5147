/** Discs whose middles are nearer than this, in pixels, overlap. */
const TOUCHING = 28;
const LINE = 13;
/** The lower edge of the map, in pixels, which the panel covers on narrow screens. */
const COVERED = 18;

/**
 * Groups overlapping markers: people at the same place become one crowd.
 *
 * @template {{x: number, y: number}} Point
 * @param {Point[]} points
 * @param {number} [reach] the distance at which two markers touch, in pixels
 * @returns {{singles: Point[], crowds: Array<{x: number, y: number, points: Point[]}>}} in the order of the points; a
 *   crowd is at the middle of its points
 */
export function fold(points, reach = TOUCHING) {
  const group = points.map((_, index) => index);
  const rootOf = (index) => (group[index] === index ? index : (group[index] = rootOf(group[index])));
  points.forEach((one, index) => {
    for (let other = 0; other < index; other += 1) {
      if (Math.hypot(one.x - points[other].x, one.y - points[other].y) >= reach) continue;
      const [a, b] = [rootOf(index), rootOf(other)];
      group[Math.max(a, b)] = Math.min(a, b);
    }
  });
  const groups = new Map();
  points.forEach((point, index) => {
    const root = rootOf(index);
    groups.set(root, [...(groups.get(root) ?? []), point]);
  });
  const all = [...groups.values()];
  return {
    singles: all.filter((one) => one.length === 1).flat(),
    crowds: all.filter((one) => one.length > 1).map((members) => ({ ...middle(members), points: members })),
  };
}

/**
 * Groups overlapping markers around the more important ones: unlike crowds, groups do not grow along a chain, so that
 * fifty places in a town become several groups and not one.
 *
 * @template {{x: number, y: number}} Point
 * @param {Point[]} points the more important ones first
 * @param {(first: Point, point: Point) => number} reach the distance of a group's points from its first one, in pixels
 * @returns {Point[][]} the groups, most with a single point; the first point of each is farther than that from the
 *   others
 */
export function gather(points, reach) {
  const groups = [];
  for (const point of points) {
    const near = groups.find(([first]) => Math.hypot(first.x - point.x, first.y - point.y) < reach(first, point));
    if (near) near.push(point);
    else groups.push([point]);
  }
  return groups;
}

const middle = (points) => ({
  x: points.reduce((sum, point) => sum + point.x, 0) / points.length,
  y: points.reduce((sum, point) => sum + point.y, 0) / points.length,
});

/**
 * Places labels so that they overlap no other label, marker or crowd: below the marker, else above, to the right or to
 * the left; with the first line alone if there is no room for all, and omitted if there is no room at all. A place
 * within the map is preferred to one that its edge cuts.
 *
 * @param {Array<{x: number, y: number, gap: number, lines: string[]}>} items the more important ones first; `gap` is
 *   the distance of the label from the middle of its marker
 * @param {Array<{left: number, top: number, right: number, bottom: number}>} taken the occupied boxes
 * @param {(line: string, index: number) => number} widthOf
 * @param {{x: number, y: number}} [size] of the map, in pixels
 * @returns {Array<{item: object, x: number, top: number, align: string, lines: string[]}>}
 */
export function placeLabels(items, taken, widthOf, size = { x: Infinity, y: Infinity }) {
  const occupied = [...taken];
  const placed = [];
  for (const item of items) {
    const all = item.lines.filter(Boolean);
    const free = (all.length > 1 ? [all, all.slice(0, 1)] : [all]).filter((lines) => lines.length > 0).flatMap((lines) =>
      spots(item, Math.max(...lines.map(widthOf)), lines.length * LINE).map((spot) => ({ ...spot, lines })))
      .filter(({ box }) => !occupied.some((other) => overlap(box, other)));
    const { box, x, align, lines } = free.find((spot) => isInside(spot.box, size)) ?? free[0] ?? {};
    if (!box) continue;
    occupied.push(box);
    placed.push({ item, lines, x, top: box.top, align });
  }
  return placed;
}

/** `true` if no edge of the map cuts a box; maps without a size have none. */
const isInside = ({ left, right, top, bottom }, { x, y }) =>
  x === Infinity || (left >= 0 && right <= x && top >= 0 && bottom <= y - COVERED);

function spots({ x, y, gap }, width, height) {
  const centred = (top) => ({ x, align: 'center', box: { left: x - width / 2, right: x + width / 2, top, bottom: top + height } });
  const beside = (start, align) => ({
    x: start, align,
    box: {
      left: align === 'left' ? start : start - width, right: align === 'left' ? start + width : start,
      top: y - height / 2, bottom: y + height / 2,
    },
  });
  return [centred(y + gap), centred(y - gap - height), beside(x + gap + 2, 'left'), beside(x - gap - 2, 'right')];
}

/** The box around a disc. */
export const boxAround = ({ x, y }, radius) => ({ left: x - radius, right: x + radius, top: y - radius, bottom: y + radius });

const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
