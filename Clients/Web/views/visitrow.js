import { h } from '../dom.js';
import { link } from '../fragment.js';
import { list, timeAt } from '../format.js';
import { icon } from '../icons.js';
import { t } from '../strings.js';
import { weatherLine, hourAt } from '../weather.js';
import { mockSign, nameOf } from './parts.js';

/**
 * A visit in a list.
 * @param {object} visit
 * @param {{directory: Directory, pictures: Pictures}} page
 */
export function visitRow(visit, { directory, pictures }) {
  const { visitId, place = {}, category, photos = [], memo, title } = visit;
  const [first] = photos;
  return h('li.card.visit', {},
    h('span.mark', {}, icon(directory.icon(category))),
    h('div.grow', {},
      h('a.cover', { href: link('visit', visitId) }, place.name),
      h('p.quiet', {}, [timeAt(visit.visitedAt, place), visit.user && nameOf(visit.user), kindLine(visit)].filter(Boolean).join(' · ')),
      title && h('p.visit-title', {}, title), memo && h('p.memo', {}, memo), companionsLine(visit) && h('p.quiet', {}, companionsLine(visit)),
      h('p.visit-signs', {}, weatherSign(visit), outcomeSign(visit), visit.mock && mockSign(), !visit.user && audienceSign(visit))),
    first && h('span.thumb', {}, pictures.image(first.file, photoWords(visit, 0)),
      photos.length > 1 && h('span.count', { 'aria-hidden': 'true' }, String(photos.length))));
}

/** The kind of a visit with its emoji; empty for a plain note without one. */
export const kindLine = ({ kind = 'NOTE', emoji = '' }) => [emoji, kind !== 'NOTE' && t('visit.kind.' + kind)].filter(Boolean).join(' ');

/** "With Ben and Carla"; empty for a visit alone. */
export function companionsLine({ companions = [] }) {
  const names = companions.map(({ user, name }) => (user ? nameOf(user) : name)).filter(Boolean);
  return names.length ? t('visit.with', { names: list(names) }) : '';
}

/** The caption of a photo, or its number and place. */
export const photoWords = ({ photos, place = {} }, index) =>
  photos[index].caption || t('photo.of', { n: index + 1, of: photos.length, place: place.name ?? '' });

/** The weather of the hour; false without it. */
export function weatherSign({ weather, visitedAt }) {
  const hour = hourAt(weather, visitedAt);
  return hour && h('span.sign', {}, icon(hour.condition), weatherLine(hour));
}

/** Outcome and rank of an arrival; false without one. */
export function outcomeSign({ outcome, rank }) {
  if (!outcome || outcome === 'UNSPECIFIED') return false;
  const words = [t('outcome.' + outcome), rank && t('rank-of', { rank })].filter(Boolean).join(', ');
  return h('span.outcome', { 'data-outcome': outcome }, words);
}

export const audienceSign = ({ audience = 'PRIVATE' }) => h('span.chip', { 'data-audience': audience }, t('audience.' + audience));
