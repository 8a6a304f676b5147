import { drawTrails } from './people.js';

/**
 * A course, or the current recording.
 *
 * @typedef {object} Way
 * @property {Array<Array<[number, number]>>} lines
 * @property {boolean} [isSelected]
 * @property {boolean} [isAside] the map does not make room for it
 */

/**
 * Draws ways.
 * @param {Way[]} ways
 */
export function drawWays(context, map, ways, colours) {
  const trails = ways.flatMap(({ lines, isSelected = false }) => lines.map((trail) => ({ trail, isSelected, colour: colours.accent })));
  drawTrails(context, map, trails, colours);
}

/** The points of the ways for which the map makes room. */
export const pointsOf = (ways) => ways.filter(({ isAside }) => !isAside).flatMap(({ lines }) => lines.flat());
