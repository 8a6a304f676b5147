import { distance } from '../format.js';
import { pointOn } from '../longitudes.js';

/** Readable steps: 1, 2 or 5 times a power of ten. */
export function niceStep(metres) {
  const power = 10 ** Math.floor(Math.log10(metres));
  const factor = [1, 2, 5, 10].find((one) => one * power >= metres) ?? 10;
  return factor * power;
}

/** Metres per pixel at the middle of the view. */
export function metresPerPixel(map) {
  const latitude = (map.getCenter().lat * Math.PI) / 180;
  return (40_075_016.686 * Math.cos(latitude)) / (256 * 2 ** map.getZoom());
}

/** Draws a grid with lines at whole distances from the place. */
export function drawGrid(context, map, size, origin, colours) {
  const perPixel = metresPerPixel(map);
  const anchor = pointOn(map, origin ?? [0, 0]);
  const step = niceStep(perPixel * 24) / perPixel;
  context.lineWidth = 1;
  for (const [width, every] of [[colours.gridFine, 1], [colours.grid, 5]]) {
    context.strokeStyle = width;
    context.beginPath();
    lines(context, size, anchor, step * every);
    context.stroke();
  }
}

function lines(context, size, anchor, step) {
  for (let x = ((anchor.x % step) + step) % step; x < size.x; x += step) {
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, size.y);
  }
  for (let y = ((anchor.y % step) + step) % step; y < size.y; y += step) {
    context.moveTo(0, Math.round(y) + 0.5);
    context.lineTo(size.x, Math.round(y) + 0.5);
  }
}

/** Wider rings would not be circles on a flat map. */
const WIDEST_RING = 100_000;

/** Draws rings at whole distances around a place, each with its distance. */
export function drawRings(context, map, size, origin, colours) {
  const perPixel = metresPerPixel(map);
  const centre = pointOn(map, origin);
  const step = niceStep(perPixel * 90);
  const reach = Math.min(Math.hypot(size.x, size.y) * perPixel, step * 12, WIDEST_RING);
  const rings = [];
  for (let metres = step; metres <= reach; metres += step) rings.push({ metres, radius: metres / perPixel });
  context.strokeStyle = colours.ring;
  context.setLineDash([4, 5]);
  for (const { radius } of rings) {
    context.beginPath();
    context.arc(centre.x, centre.y, radius, 0, 2 * Math.PI);
    context.stroke();
  }
  context.setLineDash([]);
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.fillStyle = colours.label;
  context.strokeStyle = colours.ground;
  context.lineWidth = 4;
  for (const { metres, radius } of rings) {
    context.strokeText(distance(metres), centre.x, centre.y - radius + 4);
    context.fillText(distance(metres), centre.x, centre.y - radius + 4);
  }
  context.lineWidth = 1;
}
