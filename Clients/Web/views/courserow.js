import { decodePolyline, pathOf } from '../courses.js';
import { h } from '../dom.js';
import { link } from '../fragment.js';
import { date, distance, span } from '../format.js';
import { t } from '../strings.js';
import { nameOf } from './parts.js';

const SIZE = 72;
const SVG = 'http://www.w3.org/2000/svg';

/** A course in a list, with its outline. */
export function courseRow(course) {
  const { courseId, title, startedAt, user, attribution, audience = 'PRIVATE', activity = 'OTHER', statistics = {} } = course;
  const { distanceMetres = 0, durationMs = 0 } = statistics;
  const facts = [distance(distanceMetres), durationMs > 0 && span(durationMs / 1000), t('activity.' + activity), startedAt && date(startedAt)];
  return h('li.card.course', {}, outlinePicture(linesOf(course)), h('div.grow', {},
    h('a.cover', { href: link('course', courseId) }, title),
    // Each fact stays on one line.
    h('p.quiet', {}, facts.filter(Boolean).map((one) => one.replaceAll(' ', '\u00a0')).join(' · ')),
    (user || attribution) && h('p.quiet', {}, user ? nameOf(user) : attribution),
    !user && !attribution && audience !== 'PRIVATE' && h('span.chip', {}, t('audience.' + audience))));
}

/** The outline of a course as lines. */
export const linesOf = ({ outlines = [] }) => outlines.map(decodePolyline);

/** Lines as a small picture, hidden from screen readers: it has words beside it. */
export function outlinePicture(lines, size = SIZE, more = []) {
  const picture = svg('svg', { viewBox: `0 0 ${size} ${size}`, class: 'outline', 'aria-hidden': 'true' });
  picture.append(...more, svg('path', { d: pathOf(lines, size) }));
  return picture;
}

/** An element of SVG. */
export function svg(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
