import { profilePath } from '../courses.js';
import { h } from '../dom.js';
import { distance, heights } from '../format.js';
import { locale, t } from '../strings.js';
import { svg } from './courserow.js';

const [WIDTH, HEIGHT] = [380, 110];
const kmh = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** A speed, from metres per second. */
export const speed = (metresPerSecond) => t('kilometres-per-hour', { n: kmh.format(metresPerSecond * 3.6) });

/** Altitudes along the way as a picture with its words; false without altitudes. @param {Array<{metres: number, altitude: number}>} altitudes */
export function profileFigure(altitudes) {
  if (altitudes.length < 2) return false;
  const all = altitudes.map(({ altitude }) => altitude);
  const words = t('profile.words', {
    low: heights(Math.min(...all)), high: heights(Math.max(...all)), length: distance(altitudes.at(-1).metres),
  });
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'profile', role: 'img', 'aria-label': words, preserveAspectRatio: 'none' });
  picture.append(svg('path', { d: profilePath(altitudes, WIDTH, HEIGHT) }));
  return h('section', {}, h('h2', {}, t('profile')), h('figure.profile-figure', {}, picture, h('figcaption.quiet', {}, words)));
}
