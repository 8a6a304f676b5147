import { projected } from '/assets/map/mercator.js';
import { Outline, opacityAt } from '/assets/map/outline.js';
import { equal, expect, rejection, test } from './harness.js';

const COLOURS = { water: '#0000ff', ground: '#00ff00', coast: '#00ff00', border: '#ff0000', river: '#ffff00', label: '#000' };
const NAMES = JSON.stringify({ countries: [], cities: [] });
/** A square island of two degrees around 0°, 0°, a border in it, and no lakes and rivers. */
const SQUARE = [1, 5, ...steps(-500, 500), ...steps(1000, 0), ...steps(0, -1000), ...steps(-1000, 0), ...steps(0, 1000)];
const BORDER = [1, 2, ...steps(0, 250), ...steps(0, -500)];

/** Numbers of the file: LEB128 of zigzag. */
function steps(...numbers) {
  return numbers.flatMap((number) => {
    const bytes = [];
    let value = number < 0 ? -2 * number - 1 : 2 * number;
    for (; value > 127; value >>= 7) bytes.push((value & 127) | 128);
    return [...bytes, value];
  });
}

const file = (...layers) => Uint8Array.from([...new TextEncoder().encode('PWO1'), ...layers.flat(), ...new TextEncoder().encode(NAMES)]);
const whole = () => file(SQUARE, [0], BORDER, [0], [0]);

/** The colours of points of an outline's picture, 100 pixels wide. */
function painted(outline, { zoom, at: [latitude, longitude] }, ...points) {
  const canvas = new OffscreenCanvas(100, 100);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const [x, y] = projected(latitude, longitude).map((part) => part * 256 * 2 ** zoom - 50);
  const opacity = outline.draw(context, { getZoom: () => zoom, getPixelBounds: () => ({ min: { x, y } }) }, { x: 100, y: 100 }, COLOURS);
  const colour = ([left, top]) => '#' + [...context.getImageData(left, top, 1, 1).data].slice(0, 3).map((part) => part.toString(16).padStart(2, '0')).join('');
  return [opacity, ...points.map(colour)];
}

test('an outline shows land and water, on every copy of the world', () => {
  const outline = new Outline(whole());
  for (const longitude of [0, 360, -360]) {
    equal(painted(outline, { zoom: 5, at: [0, longitude] }, [40, 50], [10, 10]), [1, '#00ff00', '#0000ff']);
  }
  // The edge of the island passes the middle, and most of it is outside of the view.
  equal(painted(outline, { zoom: 11, at: [0, 1] }, [10, 50], [90, 50]), [1, '#00ff00', '#0000ff']);
  equal(painted(outline, { zoom: 11, at: [0.3, 0.3] }, [1, 1], [98, 98]), [1, '#00ff00', '#00ff00']);
});

test('an outline fades where streets are visible, and leaves the ground alone there', () => {
  equal([2, 12, 13, 14, 20].map(opacityAt), [1, 1, 0.5, 0, 0]);
  equal(painted(new Outline(whole()), { zoom: 15, at: [0, 0] }, [50, 50]), [0, '#000000']);
});

test('rejects a file of another kind, and one that is cut', () => {
  for (const bytes of [Uint8Array.of(), new TextEncoder().encode('PWO2'), whole().subarray(0, 9), whole().subarray(0, whole().length - 1)]) {
    let error = null;
    try {
      new Outline(bytes);
    } catch (thrown) {
      error = thrown;
    }
    expect(error, `a file of ${bytes.length} bytes`);
  }
});

test('a missing file is an error', async () => {
  expect((await rejection(Outline.load('/assets/nothing.gz'))).message.endsWith(': 404'), 'it names the status');
});

test('the file of the page is small, and shows Seoul, its river and the Yellow Sea', async () => {
  const bytes = (await (await fetch('/assets/outline.bin.gz')).arrayBuffer()).byteLength;
  expect(bytes <= 600_000, `${bytes} bytes`);
  const outline = await Outline.load();
  equal(painted(outline, { zoom: 6, at: [36.6, 127.9] }, [50, 50]), [1, '#00ff00']);
  equal(painted(outline, { zoom: 6, at: [36.5, 124] }, [50, 50]), [1, '#0000ff']);
  const canvas = new OffscreenCanvas(200, 200);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const written = [];
  context.fillText = (text) => written.push(text);
  const [x, y] = projected(37.55, 127).map((part) => part * 256 * 2 ** 9 - 100);
  outline.draw(context, { getZoom: () => 9, getPixelBounds: () => ({ min: { x, y } }) }, { x: 200, y: 200 }, COLOURS);
  expect(written.includes('Seoul'), written.join());
  const { data } = context.getImageData(0, 0, 200, 200);
  const isRiver = (at) => data[at] > 150 && data[at + 1] > 150 && data[at + 2] < 100;
  expect(Array.from({ length: 40_000 }, (_, index) => 4 * index).some(isRiver), 'the Han is drawn');
});
