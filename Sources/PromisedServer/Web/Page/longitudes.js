/**
 * Longitudes on a map that goes on beyond 180°: there −179.99° is 180.01° for what lies on the other side of the line.
 * A point is `[latitude, longitude]`.
 */

/** Errors of sums of degrees are far below this. */
const ROUNDING = 1e-9;

/** The longitude, in whole turns, that is nearest to another one. */
export const nearTo = (longitude, reference) => longitude + 360 * Math.round((reference - longitude) / 360);

/** A longitude from −180 to 180. */
export const wrapped = (longitude) => nearTo(longitude, 0);

/** Whether a longitude lies between two others, from west eastwards. */
export const isBetween = (longitude, west, east) => (west > east ? longitude > west || longitude < east : longitude > west && longitude < east);

/** The points of a way, each on the near side of the one before. */
export function unwrapped(points) {
  let last = null;
  return points.map(([latitude, longitude]) => {
    last = last === null ? longitude : nearTo(longitude, last);
    return [latitude, last];
  });
}

const turned = (degrees) => ((degrees % 360) + 360) % 360;

/**
 * The shortest arc around arcs, each from its west eastwards: the widest gap between them is left out.
 * @param {Array<{west: number, east: number}>} arcs at least one; `east` less than `west` where one crosses 180°
 * @returns {{west: number, east: number}} `west` from −180 to 180, `east` not less than it
 */
export function arcAround(arcs) {
  const all = arcs.map(({ west, east }) => ({ start: turned(west), length: east < west ? turned(east - west) : Math.min(360, east - west) }))
    .sort((one, other) => one.start - other.start);
  // An arc that goes around covers the beginning too.
  const reach = Math.max(...all.map((one) => one.start + one.length)) - 360;
  let [start, gap, end] = [all[0].start, 0, Math.max(all[0].start + all[0].length, reach)];
  for (const one of all.slice(1)) {
    if (one.start - end > gap) [start, gap] = [one.start, one.start - end];
    end = Math.max(end, one.start + one.length);
  }
  // The last gap reaches around to the first one.
  if (all[0].start + 360 - end >= gap) [start, gap] = [all[0].start, Math.max(0, all[0].start + 360 - end)];
  const west = wrapped(start);
  return { west, east: west + 360 - gap };
}

/** Points that belong to no way, side by side. */
export function together(points) {
  if (points.length === 0) return points;
  const { west } = arcAround(points.map(([, longitude]) => ({ west: longitude, east: longitude })));
  // The westernmost point itself must not come out a turn too far for a rounding error.
  return points.map(([latitude, longitude]) => [latitude, west + turned(longitude - west + ROUNDING) - ROUNDING]);
}

/** Where a point is in a map's window: in the copy of the world that is in its middle. */
export const pointOn = (map, [latitude, longitude]) => map.latLngToContainerPoint([latitude, nearTo(longitude, map.getCenter().lng)]);

/** The same for the points of a way, which stays in one piece. */
export function pathOn(map, points) {
  const way = unwrapped(points);
  if (way.length === 0) return [];
  let [west, east] = [Infinity, -Infinity];
  for (const [, longitude] of way) [west, east] = [Math.min(west, longitude), Math.max(east, longitude)];
  const middle = (west + east) / 2;
  const shift = nearTo(middle, map.getCenter().lng) - middle;
  return way.map(([latitude, longitude]) => map.latLngToContainerPoint([latitude, longitude + shift]));
}
