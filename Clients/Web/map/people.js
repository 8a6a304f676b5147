import { pathOn, pointOn } from '../longitudes.js';
import { metresPerPixel } from './grid.js';
import { boxAround, placeLabels } from './layout.js';

const RADIUS = 15;
/** With more people than this only the user and the chosen person have a second line. */
const CROWDED = 20;
const NAME_FONT = '600 12px system-ui, sans-serif';
const LINE_FONT = '11px system-ui, sans-serif';

/** Draws people's trails. */
export function drawTrails(context, map, people, colours) {
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const person of people) {
    if (person.trail.length < 2) continue;
    context.beginPath();
    for (const point of pathOn(map, person.trail)) context.lineTo(point.x, point.y);
    // A light edge keeps dark colours visible on a dark ground.
    context.lineWidth = person.isSelected ? 7 : 5;
    context.strokeStyle = colours.edge;
    context.stroke();
    context.lineWidth = person.isSelected ? 4 : 2.5;
    context.strokeStyle = person.colour;
    context.stroke();
  }
}

/** Draws the place: its circle in true size, and a pin in the middle. */
export function drawPlace(context, map, place, colours) {
  const centre = pointOn(map, [place.latitude, place.longitude]);
  const radius = place.radiusMetres / metresPerPixel(map);
  context.beginPath();
  context.arc(centre.x, centre.y, Math.max(radius, 3), 0, 2 * Math.PI);
  context.fillStyle = colours.circle;
  context.fill();
  context.lineWidth = 2;
  context.strokeStyle = colours.accent;
  context.stroke();
  pin(context, centre, colours);
}

/** A pin whose tip is at a point. */
export function pin(context, { x, y }, colours) {
  context.beginPath();
  context.moveTo(x, y);
  context.bezierCurveTo(x - 5, y - 9, x - 10, y - 13, x - 10, y - 20);
  context.arc(x, y - 20, 10, Math.PI, 0);
  context.bezierCurveTo(x + 10, y - 13, x + 5, y - 9, x, y);
  context.fillStyle = colours.accent;
  context.fill();
  context.lineWidth = 1.5;
  context.strokeStyle = '#fff';
  context.stroke();
  context.beginPath();
  context.arc(x, y - 20, 4, 0, 2 * Math.PI);
  context.fillStyle = '#fff';
  context.fill();
}

/**
 * Draws everyone's marker at its displayed position: letters in a disc, the nickname and a line beside it if there is
 * room.
 * @param {Array<{person: object, x: number, y: number}>} points the last ones are on top
 * @param {Array<{left: number, top: number, right: number, bottom: number}>} taken boxes without labels
 * @param {object} colours
 * @param {{x: number, y: number}} size of the map, in pixels
 */
export function drawPeople(context, points, taken, colours, size) {
  context.textAlign = 'center';
  for (const { person, x, y } of points) disc(context, person, x, y, colours);
  const discs = points.map((point) => boxAround(point, RADIUS));
  const items = points.toReversed().map(({ person, x, y }) => {
    const isBrief = points.length > CROWDED && !person.isSelected && !person.isMe;
    return { x, y, gap: RADIUS + 4, lines: [person.name, isBrief ? '' : person.line] };
  });
  drawLabels(context, placeLabels(items, [...taken, ...discs], widthIn(context), size), colours);
}

/** The width of a label's line; the first one is a name. */
export const widthIn = (context) => (line, index) => {
  context.font = index ? LINE_FONT : NAME_FONT;
  return context.measureText(line).width;
};

/** Draws labels at the positions of {@link placeLabels}. */
export function drawLabels(context, labels, colours) {
  context.lineWidth = 3.5;
  context.lineJoin = 'round';
  for (const { x, top, align, lines } of labels) {
    context.textAlign = align;
    lines.forEach((line, index) => {
      context.font = index ? LINE_FONT : NAME_FONT;
      context.strokeStyle = colours.ground;
      context.strokeText(line, x, top + 10 + index * 13);
      context.fillStyle = index ? colours.label : colours.ink;
      context.fillText(line, x, top + 10 + index * 13);
    });
  }
}

/**
 * Draws places by pins with their titles; those at the same place share a pin and a title, with the number of further
 * ones.
 * @param {Array<{x: number, y: number, points: Array<{title: string}>}>} places
 */
export function drawPins(context, places, colours, size) {
  for (const place of places) pin(context, place, colours);
  const boxes = places.map(({ x, y }) => ({ left: x - 10, right: x + 10, top: y - 30, bottom: y }));
  const items = places.map(({ x, y, points }) => {
    const title = points[0].title + (points.length > 1 ? ` +${points.length - 1}` : '');
    return { x, y, gap: 6, lines: [title] };
  });
  drawLabels(context, placeLabels(items, boxes, widthIn(context), size), colours);
}

function disc(context, person, x, y, colours) {
  const isFresh = person.freshness === 'LIVE' || person.freshness === undefined;
  context.globalAlpha = isFresh ? 1 : 0.6;
  if (person.isMe || person.isSelected) {
    context.beginPath();
    context.arc(x, y, RADIUS + 5, 0, 2 * Math.PI);
    context.fillStyle = colours.halo;
    context.fill();
  }
  context.beginPath();
  context.arc(x, y, RADIUS, 0, 2 * Math.PI);
  context.fillStyle = person.colour;
  context.fill();
  context.lineWidth = 2.5;
  context.strokeStyle = person.isArrived ? colours.good : '#fff';
  if (!isFresh) context.setLineDash([4, 4]);
  context.stroke();
  context.setLineDash([]);
  context.fillStyle = '#fff';
  context.font = '600 12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  context.fillText(person.initials, x, y + 0.5);
  context.textBaseline = 'alphabetic';
  context.globalAlpha = 1;
}

/** The person at a point of the map; undefined for none. The one drawn last is on top. */
export function personAt(points, { x, y }) {
  return points.findLast((point) => Math.hypot(point.x - x, point.y - y) <= RADIUS + 6)?.person;
}
