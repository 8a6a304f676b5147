import { date, sameDay, time } from './format.js';
import { t } from './strings.js';

/** An instant as it reads beside another one: the time alone on the same day, else with the day. */
const beside = (instant, at) => (sameDay(instant, at) ? time(instant) : `${date(instant)} ${time(instant)}`);

/**
 * The state of a place in a phrase: "Open until 18:00".
 *
 * @param {{opening?: string, opensAt?: string, closesAt?: string}} card a card or an outlook
 * @param {string|number} at the instant of the state
 */
export function openingLine({ opening = 'UNKNOWN', opensAt, closesAt }, at) {
  if (opening === 'OPEN' && closesAt) return t('opening.until', { time: beside(closesAt, at) });
  if (opening === 'CLOSED' && opensAt) return t('opening.from', { time: beside(opensAt, at) });
  return t('opening.' + opening);
}

/** The calendar day of an instant in a time zone, such as `2026-11-25`; null for a zone that this browser lacks. */
export function dayIn(timeZone, instant) {
  try {
    const numbers = { year: 'numeric', month: '2-digit', day: '2-digit' };
    const format = new Intl.DateTimeFormat('en-US', { ...numbers, timeZone });
    const part = Object.fromEntries(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
    return `${part.year}-${part.month}-${part.day}`;
  } catch {
    return null;
  }
}

/**
 * The sentence about a closed place at a meeting time; an empty text if it is not closed then.
 *
 * @param {object} outlook
 * @param {object|null} details the place's details, whose week tells a day without opening from a late hour; null if
 *   they are unknown
 */
export function closedSentence(outlook, details) {
  if (outlook.opening !== 'CLOSED') return '';
  const day = details && dayIn(details.timeZone, outlook.at);
  const isAllDay = details?.week?.find((one) => one.date === day)?.opening === 'CLOSED';
  const sentence = t(isAllDay ? 'closed.day' : 'closed.time');
  if (!outlook.opensAt) return sentence;
  return `${sentence} ${t('closed.again', { time: beside(outlook.opensAt, outlook.at) })}`;
}

/** The hours of a day in words: "09:00–12:00, 13:00–18:00". */
export function hoursLine({ opening = 'UNKNOWN', spans = [] }) {
  if (spans.length === 0) return t('opening.' + opening);
  return spans.map(({ from, to }) => `${from}–${to}`).join(', ');
}
