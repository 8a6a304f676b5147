import { drawTrails } from './people.js';

/**
 * Draws ways: courses, and what is being recorded.
 * @param {Array<{lines: Array<Array<[number, number]>>, isSelected?: boolean}>} ways
 */
export function drawWays(context, map, ways, colours) {
  const trails = ways.flatMap(({ lines, isSelected = false }) => lines.map((trail) => ({ trail, isSelected, colour: colours.accent })));
  drawTrails(context, map, trails, colours);
}

/** The points that the ways are between. */
export const pointsOf = (ways) => ways.flatMap(({ lines }) => lines.flat());
