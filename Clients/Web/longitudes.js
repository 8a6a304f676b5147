/**
 * Longitudes on a map that continues beyond 180°, where −179.99° is 180.01° for a point beyond the line. A point is
 * `[latitude, longitude]`.
 */

/** Far above the rounding errors of sums of degrees. */
const ROUNDING = 1e-9;

/** The longitude, shifted by whole turns, that is nearest to another one. */
export const nearTo = (longitude, reference) => longitude + 360 * Math.round((reference - longitude) / 360);

/** A longitude from −180 to 180. */
export const wrapped = (longitude) => nearTo(longitude, 0);

/** `true` if a longitude is between two others, from west eastwards. */
export const isBetween = (longitude, west, east) => (west > east ? longitude > west || longitude < east : longitude > west && longitude < east);

/** The points of a way, each on the near side of the previous one. */
export function unwrapped(points) {
  let last = null;
  return points.map(([latitude, longitude]) => {
    last = last === null ? longitude : nearTo(longitude, last);
    return [latitude, last];
  });
}

const turned = (degrees) => ((degrees % 360) + 360) % 360;

/**
 * The shortest arc around arcs, each from its west eastwards: it omits the widest gap between them.
 * @param {Array<{west: number, east: number}>} arcs at least one; `east` less than `west` if one crosses 180°
 * @returns {{west: number, east: number}} `west` from −180 to 180, `east` not less than it
 */
export function arcAround(arcs) {
  const all = arcs.map(({ west, east }) => ({ start: turned(west), length: east < west ? turned(east - west) : Math.min(360, east - west) }))
    .sort((one, other) => one.start - other.start);
  // An arc across the beginning covers it, too.
  const reach = Math.max(...all.map((one) => one.start + one.length)) - 360;
  let [start, gap, end] = [all[0].start, 0, Math.max(all[0].start + all[0].length, reach)];
  for (const one of all.slice(1)) {
    if (one.start - end > gap) [start, gap] = [one.start, one.start - end];
    end = Math.max(end, one.start + one.length);
  }
  // The last gap extends to the first arc.
  if (all[0].start + 360 - end >= gap) [start, gap] = [all[0].start, Math.max(0, all[0].start + 360 - end)];
  const west = wrapped(start);
  return { west, east: west + 360 - gap };
}

/** Points without an order, side by side on the map. */
export function together(points) {
  if (points.length === 0) return points;
  const { west } = arcAround(points.map(([, longitude]) => ({ west: longitude, east: longitude })));
  // A rounding error must not shift the westernmost point itself by a turn.
  return points.map(([latitude, longitude]) => [latitude, west + turned(longitude - west + ROUNDING) - ROUNDING]);
}

/** A point's position in a map's window: in the copy of the world at its middle. */
export const pointOn = (map, [latitude, longitude]) => map.latLngToContainerPoint([latitude, nearTo(longitude, map.getCenter().lng)]);

/** The same for the points of a way, which stays connected. */
export function pathOn(map, points) {
  const way = unwrapped(points);
  if (way.length === 0) return [];
  let [west, east] = [Infinity, -Infinity];
  for (const [, longitude] of way) [west, east] = [Math.min(west, longitude), Math.max(east, longitude)];
  const middle = (west + east) / 2;
  const shift = nearTo(middle, map.getCenter().lng) - middle;
  return way.map(([latitude, longitude]) => map.latLngToContainerPoint([latitude, longitude + shift]));
}
