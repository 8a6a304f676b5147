import { h } from '../dom.js';
import { t } from '../strings.js';

/** A URL that a link may open; null for other schemes than http and https, and for maps `geo`. */
export function openable(url, schemes = ['http:', 'https:']) {
  try {
    return schemes.includes(new URL(url).protocol) ? url : null;
  } catch {
    return null;
  }
}

/** A link that leaves the page; plain text without an openable URL. */
export function outside(text, url, schemes = undefined) {
  const href = url ? openable(url, schemes) : null;
  return href ? h('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text) : h('span', {}, text);
}

/** The attribution of a source: title, publisher, licence and date. */
export function credit({ name, title, publisher, licence, url, date }) {
  const rest = [publisher, licence, date].filter(Boolean).join(', ');
  return h('span.credit', {}, outside(title || name, url), rest && ` (${rest})`);
}

/** The attribution of all shown sources; empty without sources. */
export function credits(sources) {
  return sources.length ? [t('sources'), ' ', ...sources.flatMap((source, index) => [index ? '; ' : '', credit(source)])] : [];
}
