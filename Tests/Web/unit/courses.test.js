import { altitudesOf, decodePolyline, metresAt, metresBetween, milestonesOf, pathOf, pointAt, profilePath, segmentsOf } from '/assets/courses.js';
import { focusOf } from '/assets/focus.js';
import { routeOf } from '/assets/inbox.js';
import { pointsOf } from '/assets/map/ways.js';
import { equal, expect, test } from './harness.js';

test('decodes a polyline by its specification', () => {
  equal(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@'), [[38.5, -120.2], [40.7, -120.95], [43.252, -126.453]]);
  equal(decodePolyline(''), []);
});

test('the distance of a degree is that of the sphere', () => {
  expect(Math.abs(metresBetween([0, 0], [1, 0]) - 111_194.93) < 0.01, 'along a meridian');
  expect(Math.abs(metresBetween([60, 179.5], [60, -179.5]) - 55_597) < 2, 'over the date line');
  equal(metresBetween([37.5, 127], [37.5, 127]), 0);
});

test('an outline fills its square in its true proportions', () => {
  equal(pathOf([[[0, 0], [1, 0]], [[1, 1]]], 108), 'M4.0 104.0L4.0 4.0M104.0 4.0');
  equal([pathOf([], 100), pathOf([[]], 100)], ['', '']);
  const numbers = pathOf([[[37.5, 127], [37.5, 127]]], 100).match(/[\d.]+/g).map(Number);
  equal(numbers, [50, 50, 50, 50]);
});

test('draws a part at its position in the whole', () => {
  const whole = [[[0, 0], [0.5, 0], [1, 0]]];
  equal(pathOf([[[0.5, 0]]], 108, whole), 'M54.0 54.0');
});

test('points become a line for each segment', () => {
  equal(segmentsOf([{ latitude: 1, longitude: 2 }, { latitude: 3, longitude: 4 }, { latitude: 5, segment: 1 }]), [[[1, 2], [3, 4]], [[5, 0]]]);
  equal(segmentsOf([]), []);
});

test('places altitudes at their distance along the way, without the gaps between segments', () => {
  const point = (metres, altitudeMetres, segment) => ({ latitude: metres / 111_194.93, longitude: 0, altitudeMetres, segment });
  const found = altitudesOf([point(0, 10), point(100, undefined), point(200, 20), point(5000, 30, 1), point(5100, 40, 1)]);
  equal(found.map(({ metres, altitude }) => [Math.round(metres), altitude]), [[0, 10], [200, 20], [200, 30], [300, 40]]);
});

test('finds a point of a way by its distance, and the distance by the point', () => {
  const degrees = (metres) => metres / 111_194.93;
  const point = (metres, segment) => ({ latitude: degrees(metres), longitude: 127, segment });
  const way = milestonesOf([point(0), point(100), point(400), point(9000, 1), point(9300, 1)]);
  equal(way.map(({ metres }) => Math.round(metres)), [0, 100, 400, 400, 700]);
  const metresOf = (found) => Math.round(found[0] * 111_194.93);
  equal([0, 50, 250, 399, 550, 700].map((metres) => metresOf(pointAt(way, metres))), [0, 50, 250, 399, 9150, 9300]);
  equal([pointAt(way, 9999), pointAt([], 0)].map((found) => found && metresOf(found)), [9300, null]);
  equal([[50, 127.001], [-20, 127], [250, 126.999], [9100, 127], [5000, 127]].map(([metres, east]) => Math.round(metresAt(way, [degrees(metres), east]))),
    [50, 0, 250, 500, 400]);
  equal(metresAt([], [37, 127]), 0);
  equal(metresAt(milestonesOf([point(0), point(0)]), [37, 127]), 0);
});

test('a profile rises where the way does, and a flat way stays flat', () => {
  equal([profilePath([], 100, 50), profilePath([{ metres: 0, altitude: 5 }], 100, 50)], ['', '']);
  equal(profilePath([{ metres: 0, altitude: 0 }, { metres: 10, altitude: 100 }], 100, 50), 'M0 50L0.0 46.0L100.0 4.0L100 50Z');
  equal(profilePath([{ metres: 0, altitude: 5 }, { metres: 10, altitude: 5 }], 100, 50), 'M0 50L0.0 25.0L100.0 25.0L100 50Z');
});

test('the ways of a map are within its extent', () => {
  equal(pointsOf([{ lines: [[[1, 2]], [[3, 4]]] }, { lines: [] }, { lines: [[[5, 6]]], isAside: true }]), [[1, 2], [3, 4]]);
});

test('courses and recordings have screens and routes', () => {
  equal([['courses'], ['course', 'c'], ['course', 'c', 'waypoints'], ['record']].map((path) => focusOf(path, true).screen),
    ['COURSE', 'COURSE', 'WRITING', 'RECORDING']);
  equal([{ courseId: 'c' }, { recordingId: 'r' }, { kind: 'EXPORT_READY', screen: 'OTHER' }].map(routeOf), [['course', 'c'], ['record'], ['me']]);
});

test('outlines, points and distances of ways cross 180° by the short way', () => {
  const [west, across] = [[[[0, 179], [1, 180]], [[1, 181]]], [[[0, 179], [1, -180]], [[1, -179]]]];
  equal(pathOf(across, 108), pathOf(west, 108));
  equal(pathOf([[[0.5, -180]]], 108, across), pathOf([[[0.5, 180]]], 108, west));
  const way = milestonesOf([{ latitude: 0, longitude: 179.99 }, { latitude: 0, longitude: -179.99 }]);
  const half = way.at(-1).metres / 2;
  expect(half > 1100 && half < 1120, 'some two kilometres');
  equal(Math.abs(pointAt(way, half)[1]).toFixed(6), '180.000000');
  equal(pointAt(way, half * 1.5)[1].toFixed(3), '-179.995');
  equal(metresAt(way, [0.001, -179.995]).toFixed(0), (half * 1.5).toFixed(0));
});
