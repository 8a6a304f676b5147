import { distance, exactTime, list, span, time } from './format.js';
import { has, t } from './strings.js';

/** A phone that was silent for longer than this, in milliseconds, is reported as silent. */
const SILENCE_MS = 60_000;
/** Arrivals nearer to each other than this, in milliseconds, share a rank. */
const TIE_MS = 5000;

/**
 * The participant of the explanation, and the reader.
 *
 * @typedef {object} Subject
 * @property {string} name
 * @property {boolean} isMe
 * @property {number} radius of the promise's circle, in metres
 * @property {number} graceMs the time after the meeting time that is still on time
 * @property {number} until the latest possible instant of a position, in milliseconds since 1970: now, or the end of
 *   the window
 * @property {boolean} mayCheckIn true if the reader can still check in by hand
 * @property {Array<{name: string, userId: string, rank: number, creditedAt: string}>} others the other arrivals
 */

/**
 * An explanation in sentences for people who do not know the rule, the more important ones first.
 * @param {object} explanation the reply to `explainArrival`
 * @param {Subject} subject
 * @returns {string[]}
 */
export function reasons(explanation, subject) {
  if (explanation.arrival) return arrivalReasons(explanation, subject);
  return explanation.noArrival ? noArrivalReasons(explanation.noArrival, subject) : [t('explain.none')];
}

// Without an arrival

function noArrivalReasons(none, subject) {
  const values = {
    phone: phoneOf(subject), radius: distance(subject.radius), limit: distance(none.limitMetres ?? 0), error: upwards(none.leastErrorMetres ?? 0),
    distance: upwards(none.nearestMetres ?? 0), time: none.nearestAt ? exactTime(none.nearestAt) : '–',
  };
  const first = FIRST[none.reason]?.(none, values, subject) ?? t('explain.none');
  return [first, ...details(none, values, subject)];
}

/** The main sentence by the reason. */
const FIRST = {
  NO_POSITION: ({ refused = [] }, values) => t(refused.length > 0 ? 'none.NO_POSITION.refused' : 'none.NO_POSITION', values),
  PASSED: ({ retraction = {} }, values) => {
    const { creditedAt, at, cause } = retraction;
    if (!creditedAt || !at) return t('explain.none');
    const times = { from: exactTime(creditedAt), at: exactTime(at), span: span((Date.parse(at) - Date.parse(creditedAt)) / 1000) };
    return t(cause === 'HELD' ? 'none.HELD' : 'none.PASSED', { ...values, ...times });
  },
  TOO_SHORT: ({ insideMs = 0 }, values, { radius }) => {
    // After this time a phone that is surely inside has arrived, at any speed.
    const isLong = insideMs >= Math.max(15_000, (2 * radius * 1000) / 7);
    const kind = isLong ? 'none.TOO_SHORT.unsure' : insideMs < 1000 ? 'none.TOO_SHORT.moment' : 'none.TOO_SHORT';
    return t(kind, { ...values, span: span(insideMs / 1000) });
  },
  TOO_INACCURATE: ({ unusableInside = 0 }, values) => many('none.TOO_INACCURATE', unusableInside, values),
  OUTSIDE: ({ nearestMetres, accepted = 0 }, values) =>
    (nearestMetres === undefined ? many('none.OUTSIDE.unusable', accepted, values) : t('none.OUTSIDE', values)),
};

/** Further facts from the positions. */
function details(none, values, { until, mayCheckIn }) {
  const { reason, nearestMetres, unusable = 0, refused = [], dropped = 0, covered = 0, lastAt } = none;
  const lines = mayCheckIn ? [t('more.by-hand', { button: t('check-in') })] : [];
  if (reason === 'TOO_INACCURATE' && nearestMetres !== undefined) lines.push(t('more.nearest', values));
  if (reason !== 'TOO_INACCURATE' && nearestMetres !== undefined && unusable > 0) lines.push(many('more.unusable', unusable, values));
  const count = refused.reduce((sum, one) => sum + (one.count ?? 0), 0);
  if (count > 0) lines.push(many('more.refused', count, { reasons: list(refused.map(({ code }) => refusal(code))) }));
  if (dropped > 0) lines.push(many('more.dropped', dropped));
  if (covered > 0) lines.push(many('more.covered', covered));
  if (lastAt && until - Date.parse(lastAt) >= SILENCE_MS) lines.push(t('more.silent', { time: time(lastAt) }));
  return lines;
}

/** The reason for a refused position. */
export const refusal = (code) => (has('refusal.' + code) ? t('refusal.' + code) : code);

// With one

function arrivalReasons(explanation, subject) {
  const { arrival, clause, hold } = explanation;
  const how = ['clause.' + clause, 'source.' + arrival.source].find(has);
  return [
    credited(explanation), punctuality(arrival, subject), how && t(how), hold && waiting(hold, subject),
    ...tieReasons(explanation, subject), ...stages(explanation),
  ].filter(Boolean);
}

function credited({ arrival, crossing }) {
  const values = { time: exactTime(arrival.creditedAt), rank: arrival.rank ?? '–' };
  if (crossing?.uncertaintyMs === undefined) return t('explain.credited', values);
  return t('explain.credited-about', { ...values, span: span(Math.max(1, Math.ceil(crossing.uncertaintyMs / 1000))) });
}

/** Early, on time or late, with the grace if it decides. */
function punctuality({ outcome, secondsFromMeeting = 0 }, { graceMs }) {
  const values = { span: span(secondsFromMeeting), grace: span(graceMs / 1000) };
  if (outcome === 'EARLY') return t('explain.early', values);
  if (outcome === 'ON_TIME') return t(secondsFromMeeting > 0 ? 'explain.on-time.grace' : 'explain.on-time', values);
  return outcome === 'LATE' && t(graceMs > 0 ? 'explain.late' : 'explain.late.no-grace', values);
}

function waiting({ lastAt, distanceMetres = 0, decidedAt }, subject) {
  return t('explain.hold', {
    phone: phoneOf(subject), distance: upwards(distanceMetres), time: exactTime(lastAt), decided: exactTime(decidedAt),
  });
}

/** The course of the decision. */
function stages({ confirmedAt, provisionalAt, crossing }) {
  return [
    confirmedAt && t('explain.confirmed', { time: exactTime(confirmedAt) }),
    provisionalAt && t('explain.provisional', { time: exactTime(provisionalAt) }),
    crossing?.insideAt && t('explain.crossing', {
      outside: exactTime(crossing.outsideAt), outsideDistance: distance(crossing.outsideDistanceMetres ?? 0),
      inside: exactTime(crossing.insideAt), insideDistance: distance(crossing.insideDistanceMetres ?? 0),
    }),
  ];
}

/** The people who share the rank, and the reason. */
function tieReasons({ arrival, cameTogether = [] }, { name, isMe, others }) {
  const rank = arrival.rank ?? '–';
  const told = (key, values) => t(isMe && has(key + '.you') ? key + '.you' : key, { name, rank, ...values });
  const pairs = cameTogether.map(({ user, medianDistanceMetres = 0 }) =>
    told('tie.together', { other: nameOf(user), distance: distance(medianDistanceMetres) }));
  const paired = new Set(cameTogether.map(({ user }) => user.userId));
  const tied = others.filter((one) => arrival.rank && one.rank === arrival.rank && !paired.has(one.userId)).map((one) => {
    const apart = Math.abs(Date.parse(one.creditedAt) - Date.parse(arrival.creditedAt));
    if (apart >= TIE_MS) return told('tie.chain', { other: one.name });
    return told('tie.close', { other: one.name, span: apart < 1000 ? t('under-a-second') : span(apart / 1000) });
  });
  return [...pairs, ...tied];
}

const nameOf = (user) => (user.deleted ? t('deleted-user') : user.nickname ?? '');

const phoneOf = ({ name, isMe }) => (isMe ? t('phone.mine') : t('phone.of', { name }));

/** Rounded up, so that a value beyond a limit does not read as the limit. */
const upwards = (metres) => distance(metres < 1000 ? Math.ceil(metres) : metres);

/** Words with a number; those for one have their own key. */
const many = (key, n, values = {}) => t(n === 1 ? key + '.one' : key, { ...values, n });
