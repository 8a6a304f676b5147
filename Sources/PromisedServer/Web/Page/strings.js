import { en } from './words/en.js';
import { ko } from './words/ko.js';

const base = (tag) => tag.toLowerCase().split('-')[0];

/** How the browser's user writes dates and numbers: the first of the browser's languages that there are words for. */
export const locale = (navigator.languages ?? [navigator.language]).find((tag) => ['en', 'ko'].includes(base(tag))) ?? 'en';

/** The language of the page: `en` or `ko`. */
export const language = base(locale);

const words = language === 'ko' ? ko : en;

/**
 * The words under a key, `{name}` replaced by a value. What comes out is text; it goes into the page as text.
 * @param {string} key
 * @param {Record<string, string|number>} [values]
 */
export function t(key, values = {}) {
  const text = words[key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** Whether there are words of their own under a key. */
export const has = (key) => key in en;

/** The text of an error: by its code where there are words for it, else the server's sentence. */
export function explain(error) {
  const code = error?.code ?? 'server.internal';
  if (code === 'request.invalid' && error.field) return invalid(error.field);
  return has('error.' + code) ? t('error.' + code) : error?.message || t('error.server.internal');
}

/** A refusal of a field, by its name where there are words for it; the server writes paths, such as `photos[2].caption`. */
function invalid(field) {
  if (has('error.request.invalid.' + field)) return t('error.request.invalid.' + field);
  const last = field.split('.').at(-1);
  const key = ['field.' + field, 'field.' + last].find(has);
  return key ? t('error.request.invalid.field', { field: t(key) }) : `${t('error.request.invalid')} (${field})`;
}
