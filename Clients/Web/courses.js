import { unwrapped, wrapped } from './longitudes.js';

/** Activities, in the order in which the page offers them. */
export const ACTIVITIES = ['WALK', 'RUN', 'RIDE', 'DRIVE', 'OTHER'];
/** The people who may see a course. */
export const COURSE_AUDIENCES = ['PRIVATE', 'FRIENDS', 'PEOPLE'];
/** The most way-points of a course. */
export const MOST_WAYPOINTS = 50;

const EARTH_METRES = 6_371_000;
/** The room around an outline, in units of the picture. */
const MARGIN = 4;
const RADIANS = Math.PI / 180;

/**
 * The points of an encoded polyline with five decimals.
 * @param {string} text
 * @returns {Array<[number, number]>} latitude and longitude
 */
export function decodePolyline(text) {
  const [points, sums] = [[], [0, 0]];
  let [axis, value, shift] = [0, 0, 0];
  for (const letter of text) {
    const bits = letter.charCodeAt(0) - 63;
    value += (bits & 31) * 2 ** shift;
    shift += 5;
    if (bits >= 32) continue;
    sums[axis] += value % 2 ? -(value + 1) / 2 : value / 2;
    if (axis === 1) points.push([sums[0] / 1e5, sums[1] / 1e5]);
    [axis, value, shift] = [1 - axis, 0, 0];
  }
  return points;
}

/** The distance between two points on the sphere, in metres. */
export function metresBetween([latitude, longitude], [otherLatitude, otherLongitude]) {
  const [a, b] = [latitude * RADIANS, otherLatitude * RADIANS];
  const h = Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(((otherLongitude - longitude) * RADIANS) / 2) ** 2;
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(h)));
}

/**
 * Lines as SVG path data within a square, north up and in their true proportions.
 * @param {Array<Array<[number, number]>>} lines
 * @param {number} size of the square
 * @param {Array<Array<[number, number]>>} [frame] the lines that fill the square; default: these
 */
export function pathOf(lines, size, frame = lines) {
  const first = frame.flat()[0];
  if (!first) return '';
  // Each line on the near side of the first point, wherever 180° lies.
  const near = (line) => unwrapped([first, ...line]).slice(1);
  const points = frame.flatMap(near);
  const middle = Math.cos(first[0] * RADIANS);
  const flat = ([latitude, longitude]) => [longitude * middle, -latitude];
  const [xs, ys] = [points.map((one) => flat(one)[0]), points.map((one) => flat(one)[1])];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top];
  const scale = (size - 2 * MARGIN) / Math.max(width, height, 1e-9);
  const place = (point) => {
    const [x, y] = flat(point);
    return [(x - left - width / 2) * scale + size / 2, (y - top - height / 2) * scale + size / 2].map((one) => one.toFixed(1)).join(' ');
  };
  return lines.filter((line) => line.length > 0).map((line) => 'M' + near(line).map(place).join('L')).join('');
}

/** The points of a track as lines, one for each segment. @param {Array<object>} points of `getTrack` */
export function segmentsOf(points) {
  const lines = [];
  let last = null;
  for (const { latitude = 0, longitude = 0, segment = 0 } of points) {
    if (segment !== last) lines.push([]);
    last = segment;
    lines.at(-1).push([latitude, longitude]);
  }
  return lines;
}

/**
 * The points of a way with their distance from its start, which does not grow between segments.
 * @returns {Array<{at: [number, number], metres: number, segment: number, altitude?: number}>}
 */
export function milestonesOf(points) {
  let [metres, last] = [0, null];
  return points.map(({ latitude = 0, longitude = 0, segment = 0, altitudeMetres }) => {
    const at = [latitude, longitude];
    if (last?.segment === segment) metres += metresBetween(last.at, at);
    last = { at, segment };
    return { at, metres, segment, altitude: altitudeMetres };
  });
}

/** Altitudes along the way. @returns {Array<{metres: number, altitude: number}>} empty without altitudes */
export function altitudesOf(points) {
  return milestonesOf(points).filter(({ altitude }) => altitude !== undefined).map(({ metres, altitude }) => ({ metres, altitude }));
}

/** The point of a way at a distance from its start, in metres. @returns {[number, number]|null} null for an empty way */
export function pointAt(milestones, metres) {
  const index = milestones.findIndex((one) => one.metres >= metres);
  const [after, before] = [milestones.at(index), milestones[index - 1]];
  if (!before || before.segment !== after.segment) return after?.at ?? null;
  const part = (metres - before.metres) / (after.metres - before.metres || 1);
  const [from, to] = unwrapped([before.at, after.at]);
  const [latitude, longitude] = to.map((value, axis) => from[axis] + part * (value - from[axis]));
  return [latitude, wrapped(longitude)];
}

/** The distance along a way to its point nearest to another point, in metres; 0 for an empty way. */
export function metresAt(milestones, point) {
  let nearest = { gap: Infinity, metres: 0 };
  milestones.forEach((after, index) => {
    const before = milestones[index - 1];
    const step = nearestOf(before?.segment === after.segment ? before : after, after, point);
    if (step.gap < nearest.gap) nearest = step;
  });
  return nearest.metres;
}

/** The point between two others that is nearest to a third one, on a local tangent plane. */
function nearestOf(before, after, [latitude, longitude]) {
  const flat = ([north, east]) => [north - latitude, wrapped(east - longitude) * Math.cos(latitude * RADIANS)];
  const [from, to] = [flat(before.at), flat(after.at)];
  const [north, east] = [to[0] - from[0], to[1] - from[1]];
  const along = -(from[0] * north + from[1] * east) / (north ** 2 + east ** 2 || 1);
  const part = Math.min(1, Math.max(0, along));
  return { gap: Math.hypot(from[0] + part * north, from[1] + part * east), metres: before.metres + part * (after.metres - before.metres) };
}

/** Altitudes as the outline of an area, in SVG path data. */
export function profilePath(altitudes, width, height) {
  if (altitudes.length < 2) return '';
  const all = altitudes.map(({ altitude }) => altitude);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const length = altitudes.at(-1).metres || 1;
  // A flat way is a line in the middle, not a mountain range.
  const span = Math.max(high - low, 20);
  const y = (altitude) => (height - 4 - ((altitude - (low + high) / 2) / span + 0.5) * (height - 8)).toFixed(1);
  const line = altitudes.map(({ metres, altitude }) => `${((metres / length) * width).toFixed(1)} ${y(altitude)}`).join('L');
  return `M0 ${height}L${line}L${width} ${height}Z`;
}
