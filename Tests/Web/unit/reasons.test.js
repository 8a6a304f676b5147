import { reasons as sentences } from '/assets/reasons.js';
import { equal, expect, test } from './harness.js';

const at = (clock) => new Date(`2026-11-28T${clock}`).toISOString();
/** Distances keep their unit by a space that does not break. */
const reasons = (...request) => sentences(...request).map((line) => line.replaceAll('\u00a0', ' '));
const subject = (more = {}) => ({ name: 'Min', isMe: false, radius: 50, graceMs: 60_000, until: Date.parse(at('18:52:30')), mayCheckIn: false, others: [], ...more });
const without = (none, more) => reasons({ noArrival: { limitMetres: 70, lastAt: at('18:52:00'), ...none } }, subject(more));
const arrival = { creditedAt: at('18:59:14'), rank: 1, source: 'GPS', stage: 'CONFIRMED' };
const tied = (explanation, more) => reasons({ arrival: { ...arrival, source: 'OF_TOMORROW' }, ...explanation }, subject(more)).slice(1);

test('explains an inaccurate phone by its positions nearby, their accuracy, and the limit', () => {
  const none = { reason: 'TOO_INACCURATE', accepted: 40, unusable: 40, unusableInside: 38, leastErrorMetres: 84.2 };
  equal(without(none), ['Min’s phone was near the place 38 times, but knew its position only to within 85 m. A circle of 50 m needs 70 m or better.']);
  equal(without({ ...none, unusableInside: 1 }), ['Min’s phone was near the place once, but knew its position only to within 85 m. A circle of 50 m needs 70 m or better.']);
  equal(without({ ...none, limitMetres: 200, leastErrorMetres: 1500 }, { radius: 200 }),
    ['Min’s phone was near the place 38 times, but knew its position only to within 1.5 km. A circle of 200 m needs 200 m or better.']);
  equal(without({ ...none, nearestMetres: 120, nearestAt: at('18:50:01') })[1], 'The closest position that was accurate enough was 120 m away, at 18:50:01.');
});

test('rounding never shows a value beyond a limit as the limit', () => {
  const error = without({ reason: 'TOO_INACCURATE', unusableInside: 2, leastErrorMetres: 70.2 })[0];
  expect(error.includes('only to within 71 m') && error.includes('needs 70 m'), error);
  const distance = without({ reason: 'OUTSIDE', nearestMetres: 50.1, nearestAt: at('18:50:00') })[0];
  expect(distance.includes('51 m away') && distance.includes('ends at 50 m'), distance);
});

test('explains a phone that stayed outside by its nearest distance', () => {
  equal(without({ reason: 'OUTSIDE', accepted: 12, outside: 12, nearestMetres: 62, nearestErrorMetres: 8, nearestAt: at('18:50:09') }),
    ['Min’s phone was 62 m away at the closest, at 18:50:09. The circle ends at 50 m.']);
  equal(without({ reason: 'OUTSIDE', nearestMetres: 62, nearestAt: at('18:50:09'), unusable: 3 })[1],
    '3 other positions were too inaccurate: they need 70 m or better.');
  equal(without({ reason: 'OUTSIDE', accepted: 3, unusable: 3 }),
    ['Min’s phone sent 3 positions. None was inside the circle, and none was accurate to 70 m.']);
  equal(without({ reason: 'OUTSIDE', accepted: 1, unusable: 1 }), ['Min’s phone sent 1 position. It was outside the circle, and not accurate to 70 m.']);
});

test('explains a phone that passed through by its time inside', () => {
  const short = (insideMs, more) => without({ reason: 'TOO_SHORT', inside: 3, insideMs, nearestMetres: 4, nearestAt: at('18:50:00') }, more)[0];
  equal(short(10_000), 'Min’s phone was inside the circle for only 10 s: too short, or too fast, for an arrival.');
  equal(short(undefined), 'Min’s phone was inside the circle for a single moment: too short for an arrival.');
  equal(short(999), short(0));
  equal(short(40_000, { radius: 200 }), 'Min’s phone was inside the circle for only 40 s: too short, or too fast, for an arrival.');
  // Somebody who stays so long and is clearly inside has arrived.
  for (const [insideMs, radius] of [[15_000, 50], [58_000, 200]]) {
    expect(short(insideMs, { radius }).includes('too few or too inaccurate to be sure'), short(insideMs, { radius }));
  }
  expect(short(14_999, { radius: 50 }).includes('for only 15 s'), short(14_999, { radius: 50 }));
});

test('explains a retracted arrival by both times and its cause', () => {
  const retraction = { creditedAt: at('18:40:10'), at: at('18:41:40'), cause: 'PASSED' };
  equal(without({ reason: 'PASSED', retraction }), ['Min’s phone was inside the circle at 18:40:10, but 1 min 30 s later clearly outside: it only passed by.']);
  equal(without({ reason: 'PASSED', retraction: { ...retraction, at: at('18:45:20'), cause: 'HELD' } }),
    ['Min’s phone was inside the circle at 18:40:10, but then outside, and still so at 18:45:20: this does not count as an arrival.']);
  equal(without({ reason: 'PASSED' }), ['No arrival is counted.']);
});

test('explains a phone without a position by the server’s refusals', () => {
  equal(without({ reason: 'NO_POSITION', lastAt: undefined }), ['Min’s phone sent no position.']);
  const refused = [{ code: 'position.mock', count: 2 }, { code: 'position.outside-window', count: 9 }];
  equal(without({ reason: 'NO_POSITION', lastAt: undefined, refused }),
    ['Min’s phone sent no position that counts.', 'The server refused 11 positions: simulated and outside the time for sharing.']);
  equal(without({ reason: 'NO_POSITION', lastAt: undefined, refused: [{ code: 'position.of-tomorrow', count: 1 }] })[1],
    'The server refused 1 position: position.of-tomorrow.');
});

test('explains a phone that was silent for a minute or more, with the time', () => {
  const silent = (clock) => without({ reason: 'NO_POSITION' }, { until: Date.parse(at(clock)) }).slice(1);
  equal([silent('18:52:59'), silent('18:53:00'), silent('21:00:00')],
    [[], ['The phone sent nothing after 18:52.'], ['The phone sent nothing after 18:52.']]);
});

test('counts jumps and late positions', () => {
  const lines = without({ reason: 'OUTSIDE', nearestMetres: 90, nearestAt: at('18:50:00'), dropped: 1, covered: 4 });
  equal(lines.slice(1), ['1 position jumped too far, and was not used.', '4 positions arrived late, and others had already told the way.']);
});

test('addresses the reader about their own phone, with the remedy while it helps', () => {
  const none = { reason: 'TOO_INACCURATE', unusableInside: 4, leastErrorMetres: 90 };
  const mine = without(none, { isMe: true, mayCheckIn: true });
  expect(mine[0].startsWith('Your phone was near the place 4 times'), mine[0]);
  equal(mine[1], 'If you are there, press “I’m here”.');
  equal(without(none, { isMe: true }).length, 1);
});

test('shows reasons of later servers and deleted positions as no arrival', () => {
  equal(without({ reason: 'OF_TOMORROW' }), ['No arrival is counted.']);
  equal(reasons({}, subject()), ['No arrival is counted.']);
});

test('shows the credited time with its uncertainty in whole seconds, at least one', () => {
  const crossing = { outsideAt: at('18:59:10'), outsideDistanceMetres: 62, insideAt: at('18:59:26'), insideDistanceMetres: 41 };
  const lines = (uncertaintyMs) => reasons({ arrival, clause: 'SETTLED', crossing: { ...crossing, uncertaintyMs } }, subject());
  equal(lines(7300), [
    'Credited at 18:59:14, give or take 8 s, rank 1.', 'Stayed inside, slow enough, for at least two positions.',
    'Crossed the circle between 18:59:10 (62 m away) and 18:59:26 (41 m away).']);
  expect(lines(0)[0].includes('give or take 1 s'), lines(0)[0]);
  equal(lines(undefined)[0], 'Credited at 18:59:14, rank 1.');
});

test('a pending arrival shows its condition and its end', () => {
  const hold = { since: at('19:01:00'), lastAt: at('19:02:00'), distanceMetres: 61.2, errorMetres: 8, decidedAt: at('19:04:14') };
  const lines = reasons({ arrival, provisionalAt: at('18:59:30'), hold }, subject());
  equal(lines[2], 'Min’s phone was last seen outside, 62 m away at 19:02:00. The arrival waits for a position inside, until 19:04:14 at the latest.');
});

test('shows the outcome with the grace if it decides', () => {
  const told = (outcome, secondsFromMeeting, more) => reasons({ arrival: { ...arrival, outcome, secondsFromMeeting } }, subject(more))[1];
  equal(told('EARLY', -605), '10 min before the meeting time: early.');
  equal(told('ON_TIME', 0), 'Exactly at the meeting time: on time.');
  equal(told('ON_TIME', 19), '19 s after the meeting time; up to 1 min count as on time.');
  equal(told('LATE', 479), '7 min 59 s after the meeting time: late. Up to 1 min count as on time.');
  equal(told('LATE', 1, { graceMs: 0 }), '1 s after the meeting time: late.');
  equal(told('OF_TOMORROW', 1), 'Counted by position.');
});

test('the four most important sentences come first', () => {
  const crossing = { outsideAt: at('18:59:10'), outsideDistanceMetres: 62, insideAt: at('18:59:26'), insideDistanceMetres: 41, uncertaintyMs: 7300 };
  const whole = { arrival: { ...arrival, outcome: 'EARLY', secondsFromMeeting: -46 }, clause: 'SETTLED', crossing, provisionalAt: at('18:59:30'), confirmedAt: at('19:03:00') };
  const lines = reasons(whole, subject());
  equal([lines.length, lines.slice(1, 4)], [6, ['46 s before the meeting time: early.', 'Stayed inside, slow enough, for at least two positions.', 'Confirmed at 19:03:00.']]);
  const cameTogether = [{ user: { userId: 'j', nickname: 'Jun' }, medianDistanceMetres: 9 }];
  expect(reasons({ ...whole, cameTogether }, subject())[3].startsWith('Min and Jun came together'), 'a shared rank precedes the course of the decision');
  equal(reasons({ arrival: { ...arrival, source: 'PEER' } }, subject())[1], 'Checked in by code.');
});

test('shows participants who came together with their distance', () => {
  const cameTogether = [{ user: { userId: 'j', nickname: 'Jun' }, medianDistanceMetres: 9.4, moments: 20 }];
  equal(tied({ cameTogether }), ['Min and Jun came together: their phones were 9 m apart during the last two minutes, so they share rank 1.']);
  equal(tied({ cameTogether }, { isMe: true }), ['You and Jun came together: your phones were 9 m apart during the last two minutes, so you share rank 1.']);
  equal(tied({ cameTogether: [{ user: { userId: 'x', deleted: true }, medianDistanceMetres: 3 }] }),
    ['Min and deleted user came together: their phones were 3 m apart during the last two minutes, so they share rank 1.']);
});

test('explains other equal ranks as too close or as joined by others', () => {
  const other = (seconds, more = {}) => ({ name: 'Jun', userId: 'j', rank: 1, creditedAt: new Date(Date.parse(arrival.creditedAt) + seconds * 1000).toISOString(), ...more });
  const told = (...others) => tied({}, { others });
  equal(told(other(2)), ['Min and Jun arrived 2 s apart. That is too close to tell, so they share rank 1.']);
  equal(told(other(-0.4)), ['Min and Jun arrived less than a second apart. That is too close to tell, so they share rank 1.']);
  equal(told(other(4.999)).length, 1);
  equal(told(other(5)), ['Jun shares rank 1 too, by way of people who came together.']);
  equal(told(other(2, { rank: 2 })), []);
  // A pair is told once.
  const cameTogether = [{ user: { userId: 'j', nickname: 'Jun' }, medianDistanceMetres: 9 }];
  equal(tied({ cameTogether }, { others: [other(2)] }).length, 1);
});
