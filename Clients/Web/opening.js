import { date, list, sameDay, time, wallTime } from './format.js';
import { t } from './strings.js';
import { offsetMinutes } from './zones.js';

const MINUTE = 60_000;

/** An instant beside another one: the time alone on the same day, else with the day. */
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
 * The first instant of an outlook's day at the place, if the week in the place's details does not include that day: the
 * outlook of that instant shows whether it opens at all.
 *
 * @param {{at: string}} outlook
 * @param {{timeZone: string, week?: object[]}} details
 * @returns {string|null} null if the week includes the day, or for a zone that this browser lacks
 */
export function dawnOf(outlook, { timeZone, week = [] }) {
  const day = dayIn(timeZone, outlook.at);
  if (!day || week.some(({ date }) => date === day)) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // By the offset at midnight, which may change later that day.
  const guess = midnight - offsetMinutes(timeZone, Date.parse(outlook.at)) * MINUTE;
  return new Date(midnight - offsetMinutes(timeZone, guess) * MINUTE).toISOString();
}

/**
 * `true` if a place that is closed at the instant of an outlook is closed all that day; false if unknown.
 *
 * @param {object} outlook
 * @param {object|null} details the place's details, whose week shows the next days; null if they are unknown
 * @param {object|null} [dawn] the outlook of {@link dawnOf}, for later days
 */
export function isClosedAllDay(outlook, details, dawn = null) {
  const day = details && dayIn(details.timeZone, outlook.at);
  if (!day || outlook.opening !== 'CLOSED') return false;
  const known = details.week?.find(({ date }) => date === day);
  if (known) return known.opening === 'CLOSED';
  const opensThen = dawn?.opensAt && dayIn(details.timeZone, dawn.opensAt) === day;
  return dawn?.opening === 'CLOSED' && dayIn(details.timeZone, dawn.at) === day && !opensThen;
}

/**
 * The sentence about a place closed at a meeting time; an empty text if it is not closed then.
 *
 * @param {object} outlook
 * @param {boolean} isAllDay true if it is closed all that day, and not only at that hour
 */
export function closedSentence(outlook, isAllDay) {
  if (outlook.opening !== 'CLOSED') return '';
  const sentence = t(isAllDay ? 'closed.day' : 'closed.time');
  if (!outlook.opensAt) return sentence;
  return `${sentence} ${t('closed.again', { time: beside(outlook.opensAt, outlook.at) })}`;
}

/** The hours of a day in words: "09:00–12:00, 18:00–01:00". */
export function hoursLine({ opening = 'UNKNOWN', spans = [] }) {
  if (spans.length === 0) return t(opening === 'CLOSED' ? 'opening.day-closed' : 'opening.' + opening);
  if (spans.length === 1 && spans[0].from === '00:00' && spans[0].to === '24:00') return t('hours.all-day');
  return spans.map(({ from, to }) => `${timeOf(from)}–${timeOf(to)}`).join(', ');
}

/** A clock reading of the protocol, such as `25:30`, as a time of day. */
function timeOf(reading) {
  const [hours, minutes] = reading.split(':').map(Number);
  return wallTime(hours % 24, minutes);
}

/**
 * A week without any hours in one sentence: the days on which the place is open.
 * @returns {string} an empty text for a week with hours, or of which nothing is known
 */
export function openDays(week) {
  const open = week.filter(({ opening }) => opening === 'THAT_DAY');
  const isBare = week.every(({ opening = 'UNKNOWN', spans = [] }) => spans.length === 0 && ['THAT_DAY', 'CLOSED'].includes(opening));
  if (!isBare || open.length === 0) return '';
  if (open.length === week.length) return t('hours.every-day');
  return t('hours.some-days', { days: list(open.map(({ date: day }) => date(`${day}T12:00:00`))) });
}
