import { locale, t } from './strings.js';
import { feet, isImperial, miles } from './units.js';
import { elsewhere } from './zones.js';

// 09:14 with a 24-hour clock, 9:14 PM with a 12-hour clock.
const halfDays = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12;
const minutes = { hour: halfDays ? 'numeric' : '2-digit', minute: '2-digit' };
const clock = new Intl.DateTimeFormat(locale, minutes);
const exactClock = new Intl.DateTimeFormat(locale, { ...minutes, second: '2-digit' });
const day = new Intl.DateTimeFormat(locale, { weekday: 'short', month: 'short', day: 'numeric' });
const dayOfYear = new Intl.DateTimeFormat(locale, { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' });
const fullDay = new Intl.DateTimeFormat(locale, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });
const number = new Intl.NumberFormat(locale);
const short = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });

/** A time of day: 19:00. */
export const time = (instant) => clock.format(new Date(instant));
const wall = new Intl.DateTimeFormat(locale, { ...minutes, timeZone: 'UTC' });
/** A time of day that is read from a clock in any zone. */
export const wallTime = (hours, minute) => wall.format(Date.UTC(2000, 0, 1, hours, minute));
/** A time of day to the second. */
export const exactTime = (instant) => exactClock.format(new Date(instant));
/** A day: Sat, 21 Nov; with the year unless it is the current one. */
export const date = (instant) => {
  const at = new Date(instant);
  return (at.getFullYear() === new Date().getFullYear() ? day : dayOfYear).format(at);
};
/** `true` if two instants are on the same day, in the viewer's time zone. */
export const sameDay = (one, other) => new Date(one).toDateString() === new Date(other).toDateString();
/** A day and a time. */
export const moment = (instant) => `${date(instant)}, ${time(instant)}`;

/** A calendar day such as `2026-11-21` in full, in any zone of the viewer: Saturday, 21 November 2026. */
export const dayOf = (localDate) => fullDay.format(new Date(`${localDate}T12:00:00`));

/** Names in one phrase: ben, carla and dan. */
export const list = (names) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(names);

/**
 * The local time at a place in another zone than the viewer's, with a note on whose times the others are; an empty text
 * if the zones are, or may be, the same.
 *
 * @param {string|number} instant
 * @param {{latitude?: number, longitude?: number}} [place]
 */
export function thereToo(instant, place) {
  const zones = place ? elsewhere(new Date(instant).getTime(), place) : null;
  if (!zones) return '';
  if (zones.length > 1) {
    const either = new Intl.ListFormat(locale, { type: 'disjunction' });
    return t('there.either', { times: either.format(zones.map(({ zone }) => momentIn(zone, instant))) });
  }
  const [{ zone }] = zones;
  return t('there', { time: momentIn(zone, instant), zone: zoneName(zone, instant) });
}

/**
 * A time of day at a place, with its zone if that is another one than the viewer's: 2:47 AM (Korean Standard Time). The
 * viewer's time if the place's zone is not known for sure.
 */
export function timeAt(instant, place) {
  const zones = place ? elsewhere(new Date(instant).getTime(), place) : null;
  if (zones?.length !== 1) return time(instant);
  const [{ zone }] = zones;
  const there = new Intl.DateTimeFormat(locale, { ...minutes, timeZone: zone }).format(new Date(instant));
  return `${there} (${zoneName(zone, instant)})`;
}

const zoneName = (timeZone, instant) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }).formatToParts(new Date(instant))
  .find(({ type }) => type === 'timeZoneName').value;

function momentIn(timeZone, instant) {
  const [day, time] = [{ weekday: 'short' }, minutes]
    .map((form) => new Intl.DateTimeFormat(locale, { ...form, timeZone }).format(new Date(instant)));
  return `${day} ${time}`;
}

/** A whole number: 10,006. */
export const amount = (count) => number.format(count);

const ordinals = new Intl.PluralRules(locale, { type: 'ordinal' });

/** A rank as a place: 1st, 22nd. */
export const placeOf = (rank) => t('place.' + ordinals.select(rank), { n: rank });

/** A distance in metres, or kilometres from one on; in feet, or miles from a tenth on. */
export function distance(metres) {
  if (isImperial) return imperial(metres, (value) => number.format(Math.round(value)), (value) => short.format(value));
  if (metres < 1000) return t('metres', { n: number.format(Math.round(metres)) });
  return t('kilometres', { n: short.format(metres / 1000) });
}

/** A distance as people say it, for choosing among places: 320 m, 1.4 km, 12 km. */
export function away(metres) {
  if (isImperial) {
    const inMiles = (value) => (value >= 9.95 ? number.format(Math.round(value)) : short.format(value));
    return imperial(metres, (value) => number.format(Math.max(10, Math.round(value / 10) * 10)), inMiles);
  }
  if (metres >= 9950) return t('kilometres', { n: number.format(Math.round(metres / 1000)) });
  return distance(metres < 995 ? Math.max(10, Math.round(metres / 10) * 10) : Math.max(1000, metres));
}

function imperial(metres, inFeet, inMiles) {
  return miles(metres) < 0.1 ? t('feet', { n: inFeet(feet(metres)) }) : t('miles', { n: inMiles(miles(metres)) });
}

/** Altitudes or climbs without repeats, always in metres or feet, so that they can be compared. */
export const heights = (...metres) => {
  const values = metres.map((one) => number.format(Math.round(isImperial ? feet(one) : one)));
  return t(isImperial ? 'feet' : 'metres', { n: [...new Set(values)].join('–') });
};

/** A span to count down by: 1 d 3 h, 3 h 04 min, 4 min 05 s, 12 s. */
export function countdown(ms) {
  const total = Math.max(0, Math.ceil(ms / 1000));
  const two = (value) => String(value).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  if (hours >= 24) return t('days-hours', { d: Math.floor(hours / 24), h: hours % 24 });
  if (hours) return t('hours-minutes', { h: hours, m: two(minutes) });
  return minutes ? t('minutes-seconds', { m: minutes, s: two(seconds) }) : t('seconds', { n: seconds });
}

/** A span in words of at most two units: 8 min, 1 h 5 min, 40 s. */
export function span(seconds) {
  const total = Math.round(Math.abs(seconds));
  if (total < 60) return t('seconds', { n: total });
  const minutes = Math.floor(total / 60);
  if (minutes < 10 && total % 60) return t('minutes-seconds', { m: minutes, s: total % 60 });
  if (minutes < 60) return t('minutes', { n: minutes });
  return t('hours-minutes', { h: Math.floor(minutes / 60), m: minutes % 60 });
}

/**
 * Seconds from the meeting time in words: 4 min early, on the dot, 8 min late; within the grace, which is no lateness,
 * 19 s after.
 */
export function fromMeeting(seconds, outcome) {
  if (!seconds) return t('on-the-dot');
  const key = seconds < 0 ? 'span-early' : outcome === 'ON_TIME' ? 'span-after' : 'span-late';
  return t(key, { span: span(seconds) });
}

/** An amount in minor units of a currency. */
export function money(amount, currency) {
  try {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
    return format.format(amount / 10 ** format.resolvedOptions().maximumFractionDigits);
  } catch {
    // An amount in a currency unknown to this browser.
    return `${number.format(amount)} ${currency}`;
  }
}

/** The decimal digits of a currency's minor unit. */
export function minorDigits(currency) {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  } catch {
    return 2;
  }
}

/** Degrees with the hemisphere: 37.57239° N. */
export function coordinate(latitude, longitude) {
  const part = (value, positive, negative) => `${Math.abs(value).toFixed(5)}° ${value < 0 ? negative : positive}`;
  return `${part(latitude, 'N', 'S')}, ${part(longitude, 'E', 'W')}`;
}

/** An instant as the value of an input of type `datetime-local`. */
export function localInput(instant) {
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
