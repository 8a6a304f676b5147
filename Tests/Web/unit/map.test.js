import { thereToo } from '/assets/format.js';
import { boxAround, fold, placeLabels } from '/assets/map/layout.js';
import { elsewhere, offsetMinutes, zonesAround } from '/assets/zones.js';
import { equal, expect, test } from './harness.js';

const point = (name, x, y) => ({ name, x, y });
const names = (points) => points.map(({ name }) => name).join('');

test('markers that lie over each other become a crowd, in their middle', () => {
  const { singles, crowds } = fold([point('a', 0, 0), point('b', 100, 0), point('c', 10, 20), point('d', 20, 10)]);
  equal([names(singles), crowds.map(({ x, y, points }) => [x, y, names(points)])], ['b', [[10, 10, 'acd']]]);
});

test('markers are folded up to a distance, and along a chain', () => {
  equal(fold([point('a', 0, 0), point('b', 27.9, 0)]).crowds.length, 1);
  equal(fold([point('a', 0, 0), point('b', 28, 0)]).singles.length, 2);
  equal(names(fold([point('a', 0, 0), point('b', 40, 0), point('c', 20, 0)]).crowds[0].points), 'abc');
  equal(fold([]), { singles: [], crowds: [] });
});

const width = (line) => line.length * 6;
const item = (x, y, ...lines) => ({ x, y, gap: 19, lines });

test('a label lies below its marker, else above, right or left, and nowhere without room', () => {
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

test('no label lies over another one or over a marker, however many there are', () => {
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

test('a zone is so far ahead of UTC as its clocks are at that time of the year', () => {
  equal([offsetMinutes('Asia/Seoul', winter), offsetMinutes('Asia/Kolkata', winter)], [540, 330]);
  equal([offsetMinutes('Europe/London', winter), offsetMinutes('Europe/London', summer)], [0, 60]);
  equal([offsetMinutes('America/New_York', winter), offsetMinutes('America/New_York', summer)], [-300, -240]);
  equal(offsetMinutes('Nowhere/None', winter), null);
});

test('around a city its own zone is likely', () => {
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

test('the place’s times are told where they differ, and only there', () => {
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
});
