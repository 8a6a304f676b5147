import { thereToo, time, timeAt } from '/assets/format.js';
import { arcAround, isBetween, pathOn, pointOn, together, unwrapped } from '/assets/longitudes.js';
import { boxAround, fold, gather, placeLabels } from '/assets/map/layout.js';
import { Motion } from '/assets/map/motion.js';
import { elsewhere, offsetMinutes, zonesAround } from '/assets/zones.js';
import { PlaceSigns } from '/assets/map/signs.js';
import { equal, expect, test } from './harness.js';

const point = (name, x, y) => ({ name, x, y });
const names = (points) => points.map(({ name }) => name).join('');

test('overlapping markers become a crowd at their centre', () => {
  const { singles, crowds } = fold([point('a', 0, 0), point('b', 100, 0), point('c', 10, 20), point('d', 20, 10)]);
  equal([names(singles), crowds.map(({ x, y, points }) => [x, y, names(points)])], ['b', [[10, 10, 'acd']]]);
});

test('folds markers up to a distance, and along a chain', () => {
  equal(fold([point('a', 0, 0), point('b', 27.9, 0)]).crowds.length, 1);
  equal(fold([point('a', 0, 0), point('b', 28, 0)]).singles.length, 2);
  equal(names(fold([point('a', 0, 0), point('b', 40, 0), point('c', 20, 0)]).crowds[0].points), 'abc');
  equal(fold([]), { singles: [], crowds: [] });
});

const width = (line) => line.length * 6;
const item = (x, y, ...lines) => ({ x, y, gap: 19, lines });

test('places a label below its marker, or else above, right or left, and omits it without room', () => {
  const all = [item(0, 0, 'ada', '264 m')];
  const box = { left: -15, right: 15, top: 19, bottom: 45 };
  const free = (...taken) => placeLabels(all, taken, width).map(({ top, align, lines }) => [top, align, lines.length]);
  equal(free(), [[19, 'center', 2]]);
  equal(free(box), [[-45, 'center', 2]]);
  equal(free(box, { ...box, top: -45, bottom: -19 }), [[-13, 'left', 2]]);
  equal(free(box, { ...box, top: -45, bottom: -19 }, { left: 16, right: 60, top: -20, bottom: 20 }), [[-13, 'right', 2]]);
  equal(free({ left: -200, right: 200, top: -200, bottom: 200 }), []);
  // There is room for the name alone.
  equal(free({ left: -200, right: 200, top: -200, bottom: 18 }, { left: -200, right: 200, top: 33, bottom: 200 }), [[19, 'center', 1]]);
});

test('moves a label from the edge of the map, or shortens it to the name', () => {
  const size = { x: 200, y: 150 };
  const placed = (one, ...taken) => placeLabels([one], taken, width, size).map(({ top, align, lines }) => [top, align, lines.length]);
  equal(placed(item(100, 75, 'ada', '264 m')), [[94, 'center', 2]]);
  // Below, the panel covers the edge.
  equal(placed(item(100, 110, 'ada', '264 m')), [[65, 'center', 2]]);
  equal(placed(item(5, 75, 'adalbert', '264 m')), [[62, 'left', 2]]);
  equal(placed(item(195, 75, 'adalbert', '264 m')), [[62, 'right', 2]]);
  equal(placed(item(195, 75, 'ada', 'a line that is longer than the map is wide')), [[68.5, 'right', 1]]);
  // A marker at the very edge keeps its cut name.
  equal(placed(item(-10, 170, 'ada'), { left: 0, right: 200, top: 0, bottom: 150 }).length, 1);
});

test('no label overlaps another one or a marker, for any number of them', () => {
  const items = [...Array(50)].map((_, index) => item((index * 37) % 300, (index * 53) % 200, `person ${index}`, '1.2 km'));
  const discs = items.map((one) => boxAround(one, 15));
  const placed = placeLabels(items, discs, width);
  const boxes = placed.map(({ x, top, align, lines }) => {
    const wide = Math.max(...lines.map(width));
    const left = align === 'center' ? x - wide / 2 : align === 'left' ? x : x - wide;
    return { left, right: left + wide, top, bottom: top + 13 * lines.length };
  });
  const meet = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  expect(placed.length > 5, 'some labels are placed');
  boxes.forEach((one, index) => {
    expect(!discs.some((disc) => meet(one, disc)), 'a label lies over a marker');
    expect(!boxes.slice(0, index).some((other) => meet(one, other)), 'a label lies over another');
  });
});

const winter = Date.UTC(2027, 0, 15, 12);
const summer = Date.UTC(2027, 6, 15, 12);

test('the offset of a zone follows its clocks at that time of the year', () => {
  equal([offsetMinutes('Asia/Seoul', winter), offsetMinutes('Asia/Kolkata', winter)], [540, 330]);
  equal([offsetMinutes('Europe/London', winter), offsetMinutes('Europe/London', summer)], [0, 60]);
  equal([offsetMinutes('America/New_York', winter), offsetMinutes('America/New_York', summer)], [-300, -240]);
  equal(offsetMinutes('Nowhere/None', winter), null);
});

test('suggests the zone of a city around it', () => {
  const cities = [
    ['Asia/Seoul', 37.57, 126.98], ['Europe/London', 51.5, -0.13], ['America/New_York', 40.71, -74], ['Asia/Tokyo', 34.7, 135.5],
    ['Europe/Berlin', 48.14, 11.58], ['America/Los_Angeles', 37.77, -122.42], ['Australia/Sydney', -33.87, 151.2],
    ['Asia/Shanghai', 39.9, 116.4], ['Asia/Kolkata', 28.6, 77.2], ['Pacific/Fiji', -17.8, 178], ['Pacific/Auckland', -43.5, 172.6],
  ];
  for (const [zone, latitude, longitude] of cities) {
    const offsets = zonesAround(latitude, longitude).map((one) => offsetMinutes(one, winter));
    expect(offsets.includes(offsetMinutes(zone, winter)), `${zone} is not among those around ${latitude}, ${longitude}`);
  }
});

test('shows the place’s times only if they differ', () => {
  const [seoul, london] = [{ latitude: 37.57, longitude: 126.98 }, { latitude: 51.51, longitude: -0.13 }];
  equal(elsewhere(winter, seoul, 'Asia/Seoul'), null);
  equal(elsewhere(winter, seoul, 'Asia/Tokyo'), null);
  equal(elsewhere(winter, london, 'Asia/Seoul'), [{ zone: 'Europe/London', offset: 0 }]);
  // The same clocks in winter, not in summer.
  equal(elsewhere(winter, london, 'Africa/Abidjan'), null);
  equal(elsewhere(summer, london, 'Africa/Abidjan'), [{ zone: 'Europe/London', offset: 60 }]);
  // Between two zones both are told; to somebody in one of them nothing is.
  const vigo = { latitude: 42.24, longitude: -8.72 };
  equal(elsewhere(winter, vigo, 'Asia/Seoul').map(({ offset }) => offset).sort(), [0, 60]);
  equal(elsewhere(winter, vigo, 'Europe/Madrid'), null);
  equal(thereToo(winter, undefined), '');
  equal(timeAt(winter, undefined), time(winter));
  // Vigo may be in Spain's zone or in Portugal's.
  equal(timeAt(winter, vigo), time(winter));
  const there = timeAt(winter, { latitude: 37.57, longitude: 126.98 });
  expect(there === time(winter) || /\(Korean Standard Time\)$/.test(there), there);
});

/** A map with ten pixels a degree whose middle is at a longitude. */
const mapAt = (lng) => ({ getCenter: () => ({ lng }), latLngToContainerPoint: ([latitude, longitude]) => ({ x: Math.round((longitude - lng) * 10), y: -latitude }) });
const rounded = (points) => points.map((one) => one.map((value) => Math.round(value * 1e6) / 1e6));

test('a way continues across 180° in both directions, any number of times', () => {
  equal(unwrapped([[0, 179], [0, -179], [0, -178]]), [[0, 179], [0, 181], [0, 182]]);
  equal(unwrapped([[0, -179], [0, 179], [0, -179]]), [[0, -179], [0, -181], [0, -179]]);
  equal(unwrapped([[0, 170], [0, -100], [0, -10], [0, 80], [0, 170], [0, -100]]).map((one) => one[1]), [170, 260, 350, 440, 530, 620]);
  equal([unwrapped([]), unwrapped([[1, 2]]), unwrapped([[0, 10], [0, -10]])], [[], [[1, 2]], [[0, 10], [0, -10]]]);
});

test('joins single points across 180°, and keeps others unchanged', () => {
  equal(rounded(together([[0, 179.9], [0, -179.9], [1, 179.8]])), [[0, 179.9], [0, 180.1], [1, 179.8]]);
  equal(rounded(together([[0, -10], [0, 10], [0, 127]])), [[0, -10], [0, 10], [0, 127]]);
  equal(rounded(together([[0, -122], [0, 127]])), [[0, 238], [0, 127]]);
  for (let step = 0; step < 500; step += 1) {
    const all = [-0.003, 0, 0.002].map((offset) => [0, ((step * 0.7201 + 180 + offset + 180) % 360) - 180]);
    const east = together(all).map((one) => one[1]);
    expect(Math.max(...east) - Math.min(...east) < 0.006, `around ${all[0][1]}`);
  }
  equal([together([]), rounded(together([[3, -179.9]]))], [[], [[3, -179.9]]]);
});

test('an arc around arcs excludes the widest gap and contains all arcs', () => {
  const around = (...arcs) => Object.values(arcAround(arcs.map(([west, east]) => ({ west, east })))).map((one) => Math.round(one * 1e6) / 1e6);
  equal(around([170, -170]), [170, 190]);
  equal(around([10, 20], [30, 40]), [10, 40]);
  equal(around([170, -170], [-175, -160], [160, 165]), [160, 200]);
  equal(around([-180, 180], [5, 5])[1] - around([-180, 180], [5, 5])[0], 360);
  equal(around([0, 170], [172, 172], [-170, -1]), [-170, 172]);
});

test('draws in the visible copy of the world', () => {
  equal([179.9, -179.9, 539.9].map((lng) => pointOn(mapAt(lng), [0, -179.8]).x), [3, 1, 3]);
  equal(pathOn(mapAt(-179), [[0, 179], [0, -179]]).map(({ x }) => x), [-20, 0]);
  equal(pathOn(mapAt(179), [[0, 179], [0, -179]]).map(({ x }) => x), [0, 20]);
  equal([pathOn(mapAt(0), []), pathOn(mapAt(0), [[0, 10], [0, 20]]).map(({ x }) => x)], [[], [100, 200]]);
});

test('a marker glides across 180° by the short way', () => {
  const motion = new Motion();
  motion.aim('a', [0, 179.999], 0, 1000);
  motion.aim('a', [0, -179.999], 0, 1000);
  expect(motion.isMoving(500), 'it glides');
  equal(Math.abs(motion.at('a', 500)[1]).toFixed(6), '180.000000');
  equal(motion.target('a'), [0, -179.999]);
  motion.aim('a', [0, 179.998], 500, 1000);
  expect(motion.isMoving(1000), 'and back');
});

test('compares longitudes also across 180°', () => {
  equal([isBetween(175, 170, -170), isBetween(-175, 170, -170), isBetween(0, 170, -170), isBetween(0, -10, 10), isBetween(20, -10, 10)], [true, true, false, true, false]);
});

test('signs gather around the more important ones and not along a chain', () => {
  const groups = (points, reach) => gather(points, () => reach).map(names).join(' ');
  equal(groups([point('a', 0, 0), point('b', 20, 0), point('c', 40, 0), point('d', 60, 0)], 30), 'ab cd');
  equal([groups([point('a', 0, 0), point('b', 29.9, 0)], 30), groups([point('a', 0, 0), point('b', 30, 0)], 30)], ['ab', 'a b']);
  equal(gather([], () => 30), []);
  const many = [...Array(200)].map((_, index) => point(String(index), (index * 37) % 300, (index * 91) % 200));
  const firsts = gather(many, () => 30).map(([first]) => first);
  expect(firsts.length > 10 && firsts.every((one, index) => firsts.slice(0, index).every((other) => Math.hypot(one.x - other.x, one.y - other.y) >= 30)), 'apart');
  equal(gather(many, () => 30).flat().length, 200);
});

test('merges overlapping signs into one with the sum of their places', () => {
  const context = document.createElement('canvas').getContext('2d');
  const map = { latLngToContainerPoint: ([y, x]) => ({ x, y }), getCenter: () => ({ lng: 0 }) };
  const colours = new Proxy({}, { get: () => '#000' });
  const drawn = (...signs) => {
    const layer = new PlaceSigns();
    layer.set(signs);
    layer.draw(context, map, { x: 400, y: 400 }, colours);
    return [[100, 100], [130, 100], [300, 300]].map(([x, y]) => layer.under({ x, y }).map(({ id }) => id).join('')).join(' ');
  };
  const place = (id, x, more) => ({ id, at: [100, x], name: id, line: '', ...more });
  equal(drawn(place('a', 100), place('b', 129)), 'ab  ');
  equal(drawn(place('a', 100), place('b', 130)), 'a b ');
  // Large clusters are merged with smaller ones on them, and with places.
  equal(drawn(place('a', 100), place('c', 130, { count: 2000 })), 'ca ca ');
  equal(drawn(place('d', 100, { count: 3 }), place('c', 138, { count: 2000 })), ' cd ');
  // The chosen place keeps its sign.
  equal(drawn(place('a', 100, { isSelected: true }), place('b', 129)), 'a b ');
});
