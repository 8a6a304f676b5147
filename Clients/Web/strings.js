import { en } from './words/en.js';

function base(tag) {
  return tag.toLowerCase().split('-')[0];
}

/** The available languages, by their own names. The words of each are `words/TAG.js`, which exports them by its tag. */
export const LANGUAGES = [['en', 'English'], ['ko', '한국어']];
/** Where this browser stores the language that the user chose. */
const CHOSEN = 'promised.language';

/** The locale of dates and numbers: that of the chosen language, else of the browser's first available one. */
export const locale = localeOf(localStorage.getItem(CHOSEN), navigator.languages ?? [navigator.language]);

/** The language of the page: the tag of one of {@link LANGUAGES}. */
export const language = base(locale);

/**
 * The locale of the page.
 * @param {string|null} chosen a language, as stored in the browser
 * @param {readonly string[]} tags the browser's languages, the preferred ones first
 */
export function localeOf(chosen, tags) {
  const known = LANGUAGES.map(([tag]) => tag);
  // The browser's own tag includes the country, which determines the format of dates.
  if (known.includes(chosen)) return tags.find((tag) => base(tag) === chosen) ?? chosen;
  return tags.find((tag) => known.includes(base(tag))) ?? 'en';
}

/** Stores the user's choice for the next load of the page. */
export const chooseLanguage = (tag) => localStorage.setItem(CHOSEN, tag);

/** Only the words of the page's language are loaded, and the English ones in case it lacks some. */
const words = language === 'en' ? en : (await import(`./words/${language}.js`))[language];

/**
 * The text of a key, with `{name}` replaced by a value. Use the result as text, not as markup.
 * @param {string} key
 * @param {Record<string, string|number>} [values]
 */
export function t(key, values = {}) {
  const text = words[key] ?? en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** `true` if a key has a text. */
export const has = (key) => key in en;

/** The text of an error: by its code if it has one, else the server's sentence. */
export function explain(error) {
  const code = error?.code ?? 'server.internal';
  if (code === 'request.invalid' && error.field) return invalid(error.field);
  return has('error.' + code) ? t('error.' + code) : error?.message || t('error.server.internal');
}

/** A refusal of a field, by its name if it has a text; the server sends paths, such as `photos[2].caption`. */
function invalid(field) {
  if (has('error.request.invalid.' + field)) return t('error.request.invalid.' + field);
  const last = field.split('.').at(-1);
  const key = ['field.' + field, 'field.' + last].find(has);
  return key ? t('error.request.invalid.field', { field: t(key) }) : `${t('error.request.invalid')} (${field})`;
}
