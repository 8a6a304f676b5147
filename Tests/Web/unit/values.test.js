import { colourOf, forgetColours, tellApart } from '/assets/colours.js';
import { takeCode } from '/assets/fragment.js';
import { Motion } from '/assets/map/motion.js';
import { niceStep } from '/assets/map/grid.js';
import { Meetup } from '/assets/meetup.js';
import { FixQueue } from '/assets/client/fixqueue.js';
import { Backoff, ServerClock } from '/assets/promised.js';
import { currencyOf } from '/assets/currencies.js';
import { away, countdown, date, fromMeeting, placeOf } from '/assets/format.js';
import { LANGUAGES, explain, localeOf, t } from '/assets/strings.js';
import { sentence } from '/assets/views/timeline.js';
import { en } from '/assets/words/en.js';
import { equal, expect, test } from './harness.js';

test('waits double up to half a minute, between half and all of the step', () => {
  const least = new Backoff(() => 0);
  equal([...Array(9)].map(() => least.next()), [250, 500, 1000, 2000, 4000, 8000, 15000, 15000, 15000]);
  const most = new Backoff(() => 0.999999);
  expect(most.next() < 500, 'the first is below the step');
  most.reset();
  expect(most.next() < 500, 'a connection that held starts over');
});

test('the clock estimates the rate from exchanges half a second apart', () => {
  let now = 0;
  const clock = new ServerClock(() => now);
  clock.add(0, 10, 1_000_000);
  expect(!clock.isKnown, 'one exchange says nothing of the rate');
  clock.add(400, 410, 1_120_000);
  expect(!clock.isKnown, 'too close');
  clock.add(1000, 1010, 1_300_200);
  equal([clock.isKnown, clock.rate], [true, 300]);
  now = 1105;
  equal(clock.now(), 1_330_200);
  equal([clock.real(3000), clock.uptime()], [10, 331_500]);
});

test('keeps a measured rate that is not a whole number', () => {
  const clock = new ServerClock(() => 1000);
  clock.add(0, 0, 0);
  clock.add(1000, 1000, 2500);
  equal(clock.rate, 2.5);
});

test('the queue returns the newest two hundred and drops the oldest', () => {
  const queue = new FixQueue(300);
  for (let seq = 1; seq <= 350; seq += 1) queue.add({ seq });
  equal([queue.count, queue.batch().length, queue.batch()[0].seq, queue.batch().at(-1).seq], [300, 200, 151, 350]);
  queue.settle(queue.batch().map((fix) => fix.seq));
  equal([queue.count, queue.batch()[0].seq, queue.batch().at(-1).seq], [100, 51, 150]);
});

test('a marker glides to its reported position and stops there', () => {
  const motion = new Motion();
  motion.aim('a', [0, 0], 0, 1000);
  expect(!motion.isMoving(0), 'the first report is no movement');
  motion.aim('a', [0.001, 0.002], 0, 1000);
  equal(motion.at('a', 500), [0.0005, 0.001]);
  equal([motion.isMoving(999), motion.isMoving(1000), motion.at('a', 2000)], [true, false, [0.001, 0.002]]);
  motion.aim('a', [50, 50], 2000, 1000);
  equal(motion.at('a', 2000), [50, 50]);
  motion.forget('a');
  equal(motion.at('a', 0) ?? null, null);
});

test('steps of the grid are 1, 2 or 5 times a power of ten', () => {
  equal([1, 1.5, 3, 7, 40, 99, 101, 2600].map(niceStep), [1, 2, 5, 10, 50, 100, 200, 5000]);
});

test('removes a code from the address bar, but not a route', () => {
  const page = location.pathname;
  history.replaceState(null, '', '#demo=abc_-1');
  equal([takeCode(), location.hash], [{ kind: 'demo', code: 'abc_-1' }, '']);
  history.replaceState(null, '', '#view=abc_-1');
  equal([takeCode(), location.hash], [{ kind: 'view', code: 'abc_-1' }, '#/watch']);
  for (const fragment of ['#/promise/1', '#demo=', '#demo=<script>', '#other=abc']) {
    history.replaceState(null, '', fragment);
    equal(takeCode(), null);
  }
  history.replaceState(null, '', page);
});

test('removes the code of an invite link from the path', () => {
  const page = location.pathname;
  for (const [path, code] of [['/j/Q2AZP50TDG', 'Q2AZP50TDG'], ['/j/q2azp-50tdg#/friends', 'q2azp-50tdg']]) {
    history.replaceState(null, '', path);
    equal([takeCode(), location.pathname], [{ kind: 'invite', code }, '/']);
  }
  for (const path of ['/j/', '/j/a/b', '/j/a%20b', '/jj/abc']) {
    history.replaceState(null, '', path);
    equal(takeCode(), null);
  }
  history.replaceState(null, '', page);
});

/** Words that a language may leave in English. */
const UNIVERSAL = ['metres', 'kilometres', 'kilometres-per-hour', 'north'];

for (const [tag, name] of LANGUAGES.filter(([one]) => one !== 'en')) {
  test(`the page in ${name} has exactly the words of the English one`, async () => {
    const words = (await import(`/assets/words/${tag}.js`))[tag];
    const values = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
    const differs = Object.keys(words).filter((key) => key in en && values(words[key]).join() !== values(en[key]).join());
    equal({ missing: Object.keys(en).filter((key) => !(key in words) && !UNIVERSAL.includes(key)) }, { missing: [] });
    equal({ unknown: Object.keys(words).filter((key) => !(key in en)) }, { unknown: [] });
    equal({ otherValues: differs }, { otherValues: [] });
  });
}

const person = (id, more = {}) => ({ user: { userId: id, nickname: id }, membership: 'ACCEPTED', sharing: true, ...more });

function meetup() {
  const made = new Meetup();
  made.reset({
    promiseId: 'p', opensAt: '2026-01-01T10:00:00Z', meetsAt: '2026-01-01T10:30:00Z', closesAt: '2026-01-01T13:00:00Z',
    settlesAt: '2026-01-01T13:15:00Z', status: 'TRACKING', participants: [person('a'), person('b'), person('c', { membership: 'INVITED' })],
  });
  return made;
}

const at = (time) => Date.parse(`2026-01-01T${time}Z`);

test('positions move known people and extend their trails', () => {
  const one = meetup();
  for (const latitude of [1, 1.1, 1.1, 1.2]) {
    one.apply({ positions: { positions: [{ userId: 'a', latitude, distanceMetres: 9 }, { userId: 'x', latitude }] } });
  }
  equal(one.person('a').trail, [[1, 0], [1.1, 0], [1.2, 0]]);
  equal(one.underWay.map((each) => each.user.userId), ['a', 'b']);
  expect(one.person('x') === undefined, 'a stranger stays one');
});

test('bounds a trail and keeps both ends', () => {
  const one = meetup();
  for (let step = 0; step < 2000; step += 1) one.apply({ positions: { positions: [{ userId: 'a', latitude: step / 1000 }] } });
  const { trail } = one.person('a');
  expect(trail.length <= 401, `${trail.length} points`);
  equal(trail.at(-1)[0], 1.999);
});

test('an arrival remains until its retraction, and ranks are revised', () => {
  const one = meetup();
  const arrival = (userId, rank) => ({ userId, rank, creditedAt: `2026-01-01T10:0${rank}:00Z`, stage: 'PROVISIONAL' });
  one.apply({ seq: 1, arrived: { arrival: arrival('b', 1) } });
  one.apply({ seq: 2, arrived: { arrival: arrival('a', 2) } });
  equal(one.arrived.map((each) => each.user.userId), ['b', 'a']);
  one.apply({ seq: 3, arrivalRetracted: { userId: 'b' } });
  one.apply({ seq: 4, rankingRevised: { arrivals: [arrival('a', 1)] } });
  equal(one.arrived.map((each) => [each.user.userId, each.arrival.rank]), [['a', 1]]);
  equal(one.timeline.map((entry) => entry.kind), ['arrived', 'arrived', 'arrivalRetracted', 'rankingRevised']);
});

test('the map hides participants who pause, leave or are beyond the window', () => {
  for (const event of [
    { sharingChanged: { userId: 'a' } }, { seq: 1, left: { user: { userId: 'a' } } }, { seq: 1, trackingEnded: {} },
  ]) {
    const one = meetup();
    one.apply({ positions: { positions: [{ userId: 'a', latitude: 1 }] } });
    one.apply(event);
    expect(!one.person('a').position && one.person('a').trail.length === 0, Object.keys(event).join());
  }
});

test('a refreshed promise replaces only the live data', () => {
  const one = meetup();
  one.apply({ seq: 1, at: '2026-01-01T10:00:00Z', trackingStarted: {} });
  for (const userId of ['a', 'b']) one.apply({ positions: { positions: [{ userId, latitude: 1 }] } });
  one.refresh({ participants: [person('a', { sharing: false, statusText: 'hi' }), person('b', { position: { userId: 'b', latitude: 2 } })] });
  const [a, b] = [one.person('a'), one.person('b')];
  equal([a.sharing, a.position ?? null, a.trail, a.statusText], [false, null, [], 'hi']);
  equal([b.trail, one.timeline.length], [[[1, 0], [2, 0]], 1]);
});

test('a new participant shares; other changes keep the user’s choice', () => {
  const one = meetup();
  one.apply({ seq: 1, joined: { user: { userId: 'c', nickname: 'c' } } });
  expect(one.person('c').sharing === true, 'sharing after joining');
  one.apply({ sharingChanged: { userId: 'c', on: false } });
  one.apply({ seq: 2, edited: { promise: { title: 'New', courseId: 'k', participants: [person('c')] } } });
  equal([one.person('c').sharing, one.promise.title, one.promise.courseId], [false, 'New', 'k']);
  one.apply({ seq: 3, edited: { promise: { title: 'New' } } });
  equal(one.promise.courseId, '', 'a promise without a course carries none');
});

test('the status follows the clock at each boundary', () => {
  const one = meetup();
  const cases = [['09:59:59', 'SCHEDULED', 'opens'], ['10:00:00', 'TRACKING', 'meets'], ['10:30:00', 'TRACKING', 'closes'],
    ['12:59:59', 'TRACKING', 'closes'], ['13:00:00', 'SETTLING', 'settles']];
  for (const [time, status, next] of cases) equal([one.status(at(time)), one.nextMilestone(at(time)).what], [status, next]);
  one.apply({ seq: 9, resultFinal: { result: { rows: [] } } });
  equal([one.status(at('13:15:00')), one.nextMilestone(at('13:15:00'))], ['FINAL', null]);
});

test('adds history to the time line without duplicates', () => {
  const one = meetup();
  one.apply({ seq: 3, at: '2026-01-01T10:30:00Z', meetingTime: {} });
  one.addHistory([{ seq: 1, invited: {} }, { seq: 2, trackingStarted: {} }, { seq: 3, meetingTime: {} }]);
  equal(one.timeline.map((entry) => entry.seq), [1, 2, 3]);
});

const invitation = (seq, userId, time = '09:00:00') =>
  ({ seq, at: `2026-01-01T${time}Z`, invited: { promise: {}, user: { userId, nickname: userId } } });

test('merges simultaneous invitations into one entry, live and from history', () => {
  const told = (one) => one.story.map((entry) => [entry.key, sentence(one, entry)]);
  const live = meetup();
  for (const [seq, userId] of [[1, 'a'], [2, 'b'], [3, 'c']]) live.apply(invitation(seq, userId));
  equal(told(live), [['1', t('event.invited', { names: 'a, b, c' })]]);
  live.apply(invitation(4, 'd', '09:00:01'));
  live.apply({ seq: 5, at: '2026-01-01T09:00:02Z', edited: { promise: {} } });
  live.apply(invitation(6, 'e', '09:00:02'));
  equal(told(live).map(([key]) => key), ['1', '4', '5', '6']);

  const late = meetup();
  late.apply(invitation(3, 'c'));
  late.addHistory([invitation(1, 'a'), invitation(2, 'b'), invitation(3, 'c')]);
  equal(told(late), [['1', t('event.invited', { names: 'a, b, c' })]]);
});

test('announces an invitation with its title', () => {
  const words = sentence(meetup(), { kind: 'invited', content: invitation(1, 'zoe').invited });
  expect(words.includes('zoe'), words);
});

test('follows a link by its events, and shows only the latest number of viewers', () => {
  const one = meetup();
  one.apply({ seq: 1, at: '2026-01-01T10:00:00Z', viewLinkCreated: { expiresAt: '2026-01-01T11:00:00Z' } });
  for (const count of [1, 2, 0]) one.apply({ at: '2026-01-01T10:00:01Z', viewersChanged: { count } });
  one.apply({ linkSharingChanged: { userId: 'a', on: true } });
  equal([one.promise.viewLinkExpiresAt, one.promise.viewerCount, one.person('a').linkSharing], ['2026-01-01T11:00:00Z', 0, true]);
  equal(one.timeline.map((entry) => [entry.kind, entry.content.count ?? null]), [['viewLinkCreated', null], ['viewersChanged', 0]]);
  one.apply({ seq: 2, at: '2026-01-01T10:00:02Z', viewLinkRevoked: {} });
  expect(!one.promise.viewLinkExpiresAt, 'there is no link');
});

test('a viewer’s new promise replaces the previous one, without former participants', () => {
  const one = new Meetup();
  const view = (...participants) => ({ promiseId: 'p', ownerId: 'o', participants });
  const at = (userId, latitude) => person(userId, { position: { userId, latitude } });
  one.replace(view(at('a', 1), at('b', 1)), { userId: 'o', nickname: 'Olga' });
  one.apply({ at: '2026-01-01T10:00:00Z', meetingTime: {} });
  one.replace(view(at('a', 2), person('b')), { userId: 'o', nickname: 'Olga' });
  equal([one.person('a').trail, one.person('b').trail, one.ownerName], [[[1, 0], [2, 0]], [], 'Olga']);
  one.replace(view(at('a', 2)), { userId: 'o', nickname: 'Olga' });
  equal([[...one.people.keys()], one.timeline.map((entry) => entry.kind)], [['a'], ['meetingTime']]);
});

test('participants have different colours in any order', () => {
  forgetColours();
  const ids = Array.from({ length: 8 }, (_, index) => `user-${index * 7}`);
  tellApart(ids);
  const colours = ids.map(colourOf);
  equal(new Set(colours).size, 8);
  tellApart([...ids, 'somebody else']);
  equal(ids.map(colourOf), colours);
  forgetColours();
  tellApart([...ids].reverse());
  equal(ids.map(colourOf), colours);
  forgetColours();
});

test('errors name the field in words, or else by the server’s name', () => {
  const invalid = (field) => explain({ code: 'request.invalid', message: 'No.', field });
  equal(invalid('password'), 'Choose a password of 8 to 128 characters that is not among the most common ones.');
  equal([invalid('meetsAt'), invalid('place.latitude'), invalid('photos[2].caption')],
    ['Meeting time: missing or out of range.', 'Latitude: missing or out of range.', 'Caption: missing or out of range.']);
  equal([invalid('cursor'), invalid('')], ['Something is missing or out of range. (cursor)', 'Something is missing or out of range.']);
  equal(explain({ code: 'of.tomorrow', message: 'In the server’s words.' }), 'In the server’s words.');
});

test('shows a rank as a place, and omits a missing one', () => {
  equal([1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111].map(placeOf), ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '101st', '111th']);
  const told = (arrival) => sentence(meetup(), { kind: 'arrived', content: { arrival: { userId: 'a', ...arrival } } });
  equal([told({ rank: 4 }), told({})], ['a has arrived (4th)', 'a has arrived']);
});

test('the language is the chosen one, or else the first supported one of the browser', () => {
  equal([localeOf(null, ['fr-FR', 'ko-KR', 'en-US']), localeOf(null, ['fr']), localeOf(null, ['EN-au'])], ['ko-KR', 'en', 'EN-au']);
  equal([localeOf('ko', ['en-GB']), localeOf('en', ['ko-KR', 'en-GB']), localeOf('fr', ['ko-KR'])], ['ko', 'en-GB', 'ko-KR']);
});

test('distances for a choice are round and above zero', () => {
  const told = [0, 4, 29, 319, 994, 995, 1440, 9949, 9951, 272_400].map((metres) => away(metres).replace('\u00a0', ' '));
  equal(told, ['10 m', '10 m', '30 m', '320 m', '990 m', '1 km', '1.4 km', '9.9 km', '10 km', '272 km']);
});

test('a countdown has units', () => {
  const told = [0, 1000, 21_000, 59_001, 605_000, 3_599_000, 3_600_000, 11_045_000, 97_200_000].map(countdown);
  equal(told, ['0 s', '1 s', '21 s', '1 min 00 s', '10 min 05 s', '59 min 59 s', '1 h 00 min', '3 h 04 min', '1 d 3 h']);
});

test('seconds within the grace are not late', () => {
  equal([fromMeeting(-219, 'EARLY'), fromMeeting(0, 'ON_TIME'), fromMeeting(19, 'ON_TIME'), fromMeeting(479, 'LATE'), fromMeeting(19)],
    ['3 min 39 s early', 'on the dot', '19 s after', '7 min 59 s late', '19 s late']);
});

test('a day of another year has the year', () => {
  const year = new Date().getFullYear();
  const has = (at, text) => date(at).includes(text);
  equal([has(new Date(year, 5, 1), String(year)), has(new Date(year - 1, 5, 1), String(year - 1)), has(new Date(year + 1, 5, 1), String(year + 1))],
    [false, true, true]);
});

test('the suggested currency is that of the time zone', () => {
  equal(['Asia/Seoul', 'Europe/Madrid', 'Europe/London', 'America/Chicago', 'Asia/Calcutta', 'Etc/UTC', undefined].map(currencyOf),
    ['KRW', 'EUR', 'GBP', 'USD', 'INR', 'USD', 'USD']);
});
