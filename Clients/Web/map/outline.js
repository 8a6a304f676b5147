import { projected } from './mercator.js';
import { OutlineNames } from './outlinenames.js';

/** Where the server has the file that `scripts/generate outline` makes; its format is described there. */
const FILE = '/assets/outline.bin.gz';
/** From the first zoom on the outline fades, at the second it is gone: it is exact to about half a kilometre. */
const FADING = [12, 14];
/** Room around the view, in pixels, for the width of lines. */
const EDGE = 8;
/** Shorter steps and smaller islands than this, in pixels, are not drawn. */
const LEAST = 1.6;
/** Of a degree: the unit of the file. */
const STEPS = 500;

/**
 * Lines of one kind.
 * @typedef {object} Layer
 * @property {Float32Array} points x and y of each point, from 0 to 1: east and south in Mercator's projection
 * @property {Uint32Array} starts where each line begins, and where the last one ends
 * @property {Float32Array} boxes west, north, east and south of each line
 */

/** The coasts, borders, great rivers, lakes and cities of the world: the ground of a map without tiles. */
export class Outline {
  #layers;
  #names;

  /** Loads the outline. Rejects without the file, and in browsers that cannot decompress it. */
  static async load(address = FILE) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    const whole = response.body.pipeThrough(new DecompressionStream('gzip'));
    return new Outline(new Uint8Array(await new Response(whole).arrayBuffer()));
  }

  /** @param {Uint8Array} bytes the decompressed file */
  constructor(bytes) {
    const reader = new Reader(bytes);
    const [land, lakes, borders, rivers, smaller] = Array.from({ length: 5 }, () => reader.layer());
    this.#layers = { land, lakes, borders, rivers, smaller };
    this.#names = new OutlineNames(reader.rest());
  }

  /**
   * Draws the visible part.
   * @returns {number} its opacity, from 0 to 1: at 0 nothing was drawn
   */
  draw(context, map, size, colours) {
    const zoom = map.getZoom();
    const opacity = opacityAt(zoom);
    if (opacity === 0) return 0;
    const scale = 256 * 2 ** zoom;
    const { min } = map.getPixelBounds();
    context.globalAlpha = opacity;
    context.fillStyle = colours.water;
    context.fillRect(0, 0, size.x, size.y);
    const last = Math.floor((min.x + size.x) / scale);
    for (let turn = Math.floor(min.x / scale); turn <= last; turn += 1) {
      this.#drawWorld(context, { scale, left: min.x - turn * scale, top: min.y, size, zoom }, colours);
    }
    this.#names.draw(context, { scale, min, size, zoom }, colours);
    context.globalAlpha = 1;
    return opacity;
  }

  #drawWorld(context, view, colours) {
    const { land, lakes, borders, rivers, smaller } = this.#layers;
    context.lineJoin = 'round';
    const area = (layer, fill) => {
      trace(context, layer, view, true);
      context.fillStyle = fill;
      context.fill('evenodd');
      context.lineWidth = 1;
      context.strokeStyle = colours.coast;
      context.stroke();
    };
    const line = (layer, colour, width) => {
      trace(context, layer, view, false);
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    };
    area(land, colours.ground);
    if (view.zoom >= 4) line(rivers, colours.river, view.zoom >= 8 ? 2 : 1);
    if (view.zoom >= 6.5) line(smaller, colours.river, 1);
    if (view.zoom >= 3) area(lakes, colours.water);
    context.setLineDash([6, 3]);
    line(borders, colours.border, view.zoom >= 6 ? 1.5 : 1);
    context.setLineDash([]);
  }
}

/** The opacity of the outline at a zoom. */
export const opacityAt = (zoom) => Math.min(1, Math.max(0, (FADING[1] - zoom) / (FADING[1] - FADING[0])));

/** Makes a path of the visible lines of a layer, without points that nobody could tell from their neighbours. */
function trace(context, { points, starts, boxes }, { scale, left, top, size }, isClosed) {
  context.beginPath();
  const [right, bottom] = [size.x + EDGE, size.y + EDGE];
  for (let index = 0; index + 1 < starts.length; index += 1) {
    const box = index * 4;
    const west = boxes[box] * scale - left;
    const north = boxes[box + 1] * scale - top;
    const east = boxes[box + 2] * scale - left;
    const south = boxes[box + 3] * scale - top;
    if (west > right || east < -EDGE || north > bottom || south < -EDGE || (east - west < LEAST && south - north < LEAST)) continue;
    const end = starts[index + 1];
    let [x, y, side, isWaiting] = [NaN, NaN, -1, false];
    for (let at = starts[index]; at < end; at += 1) {
      const [beforeX, beforeY, beforeSide] = [x, y, side];
      const nextX = points[2 * at] * scale - left;
      const nextY = points[2 * at + 1] * scale - top;
      if (at + 1 < end && Math.abs(nextX - x) + Math.abs(nextY - y) < LEAST) continue;
      [x, y] = [nextX, nextY];
      side = x < -EDGE ? 1 : x > right ? 2 : y < -EDGE ? 3 : y > bottom ? 4 : 0;
      if (beforeSide === -1) context.moveTo(x, y);
      else if (side !== 0 && side === beforeSide) {
        // A part on one side of the view is invisible: one line to its last point is enough.
        isWaiting = true;
        continue;
      } else {
        if (isWaiting) context.lineTo(beforeX, beforeY);
        context.lineTo(x, y);
      }
      isWaiting = false;
    }
    if (isWaiting) context.lineTo(x, y);
    if (isClosed) context.closePath();
  }
}

/** Reads the file, front to back. */
class Reader {
  #bytes;
  #at = 4;

  constructor(bytes) {
    this.#bytes = bytes;
    if (new TextDecoder().decode(bytes.subarray(0, 4)) !== 'PWO1') throw new Error('not an outline');
  }

  /** @returns {Layer} */
  layer() {
    const count = this.#number();
    const starts = new Uint32Array(count + 1);
    const boxes = new Float32Array(count * 4);
    const all = [];
    let [east, north] = [0, 0];
    for (let index = 0; index < count; index += 1) {
      const length = this.#number();
      const box = [Infinity, Infinity, -Infinity, -Infinity];
      for (let point = 0; point < length; point += 1) {
        east += this.#step();
        north += this.#step();
        const [x, y] = projected(north / STEPS, east / STEPS);
        all.push(x, y);
        [box[0], box[1]] = [Math.min(box[0], x), Math.min(box[1], y)];
        [box[2], box[3]] = [Math.max(box[2], x), Math.max(box[3], y)];
      }
      starts[index + 1] = all.length / 2;
      boxes.set(box, index * 4);
    }
    return { points: new Float32Array(all), starts, boxes };
  }

  /** The JSON behind the layers. */
  rest() {
    return JSON.parse(new TextDecoder().decode(this.#bytes.subarray(this.#at)));
  }

  #number() {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = this.#bytes[this.#at];
      if (byte === undefined) throw new Error('the outline is cut');
      this.#at += 1;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  }

  #step() {
    const value = this.#number();
    return value & 1 ? -(value + 1) / 2 : value / 2;
  }
}
