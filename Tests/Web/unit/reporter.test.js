import { PromisedError, Reporter } from '/assets/promised.js';
import { FakeStorage } from './fakes.js';
import { equal, expect, settle, test, until } from './harness.js';

/** A reporter of a client that answers as the test says. `next()` waits for the next request. */
function world({ locate = async () => ({ latitude: 1, longitude: 2, ageMs: 5 }), answer, tabStorage = null }) {
  const requests = [];
  let wake = () => {};
  let seq = 0;
  const told = [];
  const client = {
    nextFixSeq: () => ++seq,
    reportIntervalMs: 1,
    tabStorage,
    clock: { isKnown: true, rate: 1, real: (span) => span, uptime: () => 1000, now: () => Date.UTC(2026, 0, 1) },
    send: (name, fields) => (requests.push({ name, fields }), wake()),
    call: async (name, fields) => {
      requests.push({ name, fields });
      wake();
      return answer(fields, requests.length);
    },
  };
  const reporter = new Reporter(client, 'p', locate, {
    onReport: () => told.push('report'), onTrouble: (cause) => told.push(cause), onRefusal: ({ code }) => told.push(code),
  });
  const next = () => new Promise((resolve) => {
    wake = () => resolve(requests.at(-1));
  });
  return { reporter, next, told, requests };
}

const taken = (fields) => ({ taken: fields.fixes.map((fix) => fix.seq), nextReportMs: 1 });

test('sends one fix in each slot, dated by its age', async () => {
  const { reporter, next } = world({ answer: taken });
  reporter.follow(1);
  const first = await next();
  equal(first, { name: 'report', fields: { promiseId: 'p', fixes: [{ seq: 1, latitude: 1, longitude: 2, uptimeMs: 995 }], uptimeMs: 1000 } });
  equal((await next()).fields.fixes.map((fix) => fix.seq), [2]);
  reporter.stop();
});

test('sends unsent fixes with the next report', async () => {
  const { reporter, next } = world({ answer: (fields, count) => {
    if (count === 1) throw new PromisedError('client.offline');
    return taken(fields);
  } });
  reporter.follow(1);
  await next();
  equal((await next()).fields.fixes.map((fix) => fix.seq), [1, 2]);
  equal((await next()).fields.fixes.map((fix) => fix.seq), [3]);
  reporter.stop();
});

test('drops individually refused fixes', async () => {
  const { reporter, next } = world({ answer: ({ fixes }) => ({ rejected: fixes.map(({ seq }) => ({ seq, code: 'position.invalid' })), nextReportMs: 1 }) });
  reporter.follow(1);
  await next();
  equal((await next()).fields.fixes.map((fix) => fix.seq), [2]);
  reporter.stop();
});

test('stops when told to, until told to start', async () => {
  let isOver = true;
  const { reporter, next, requests } = world({ answer: (fields) => ({ ...taken(fields), nextReportMs: isOver ? 0 : 1 }) });
  reporter.follow(1);
  await next();
  await new Promise((resolve) => setTimeout(resolve, 30));
  equal(requests.length, 1);
  isOver = false;
  reporter.slot(1);
  await next();
  reporter.stop();
  expect(requests.length === 2, 'it went on');
});

test('drops and reports a permanently refused report', async () => {
  const { reporter, next, told } = world({ answer: (fields, count) => {
    if (count === 1) throw new PromisedError('position.sharing-off', { retry: 'NEVER' });
    return taken(fields);
  } });
  reporter.follow(1);
  await next();
  equal((await next()).fields.fixes.map((fix) => fix.seq), [2]);
  equal(told, ['report', 'position.sharing-off', 'report']);
  reporter.stop();
});

test('fixes refused for their rate wait for the server’s time, whatever the slots, and are then sent', async () => {
  let refusedAt;
  const { reporter, next, requests } = world({ answer: (fields, count) => {
    if (count > 1) return taken(fields);
    refusedAt = performance.now();
    throw new PromisedError('limit.rate', { retry: 'LATER', retryAfterMs: 80 });
  } });
  reporter.follow(1);
  await next();
  await settle();
  reporter.slot(1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  equal([requests.length, reporter.waiting], [1, 1]);
  equal((await next()).fields.fixes.map((fix) => fix.seq), [1, 2]);
  expect(performance.now() - refusedAt >= 79, 'it waited');
  reporter.stop();
});

test('reports a receiver without a position as trouble with its cause', async () => {
  const locate = () => Promise.reject({ cause: 'PERMISSION' });
  const { reporter, next, told } = world({ locate, answer: taken });
  reporter.follow(1);
  equal(await next(), { name: 'reportTrouble', fields: { promiseId: 'p', cause: 'PERMISSION' } });
  equal(told, ['PERMISSION']);
  reporter.stop();
});

test('a pace of its own overrides slots until a new subscription', async () => {
  const { reporter, next, requests } = world({ answer: taken });
  reporter.pace(0);
  reporter.slot(1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  equal(requests.length, 0);
  reporter.follow(1);
  await next();
  reporter.stop();
});

test('sends waiting fixes with the first report after a reload, dated by the other clock', async () => {
  const tabStorage = new FakeStorage();
  const before = world({ tabStorage, answer: () => {
    throw new PromisedError('client.offline');
  } });
  before.reporter.follow(1);
  await until(() => before.requests.length === 2);
  await settle();
  before.reporter.slot(0);
  const { reporter, next } = world({ tabStorage, answer: taken });
  reporter.follow(1);
  const { fields } = await next();
  equal(fields.fixes[0], { latitude: 1, longitude: 2, seq: 1, recordedAt: '2025-12-31T23:59:59.995Z' });
  equal([fields.fixes.at(-1).uptimeMs, fields.sentAt], [995, '2026-01-01T00:00:00.000Z']);
  await next();
  reporter.stop();
  equal(tabStorage.getItem('promised.fixes.p'), null);
});

test('finishing sends the waiting fixes, accepts no others, and stops', async () => {
  let isOffline = true;
  const { reporter, requests } = world({ answer: (fields) => {
    if (isOffline) throw new PromisedError('client.offline');
    return { ...taken(fields), nextReportMs: 0 };
  } });
  reporter.follow(1);
  await until(() => requests.length === 2);
  reporter.finish();
  isOffline = false;
  const { count } = await new Promise((resolve) => setTimeout(() => resolve({ count: requests.length }), 60));
  const last = requests.at(-1).fields.fixes.map((fix) => fix.seq);
  equal([last, reporter.waiting], [last.map((_, index) => index + 1), 0]);
  await new Promise((resolve) => setTimeout(resolve, 60));
  equal(requests.length, count);
});
