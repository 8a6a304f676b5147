import { Feed, PromisedError } from '/assets/promised.js';
import { equal, expect, settle, test } from './harness.js';

/** A feed whose subscriptions the test answers. */
function world() {
  const told = [];
  const asked = [];
  const subscribe = (fields) => new Promise((resolve, reject) => asked.push({ fields, resolve, reject }));
  const feed = new Feed('p', subscribe, {
    onSnapshot: (promise) => told.push(promise.title),
    onEvent: (event) => told.push(event.seq ?? 'passing'),
    onResume: () => told.push('resumed'),
    onEnd: (error) => told.push(error.code),
    onSlot: (ms) => told.push(`slot ${ms}`),
  });
  return { feed, told, asked };
}

async function following() {
  const all = world();
  all.feed.resume();
  all.asked[0].resolve({ epoch: 'e', seq: 3, snapshot: { title: 'Dinner' }, nextReportMs: 50 });
  await settle();
  return all;
}

test('a feed begins with the snapshot and continues with the next number', async () => {
  const { feed, told } = await following();
  feed.take({ seq: 4 });
  feed.take({});
  feed.take({ seq: 5 });
  equal(told, ['Dinner', 'slot 50', 4, 'passing', 5]);
});

test('drops a duplicate event', async () => {
  const { feed, told } = await following();
  for (const seq of [3, 4, 4, 2]) feed.take({ seq });
  equal(told, ['Dinner', 'slot 50', 4]);
});

test('requests a missing number', async () => {
  const { feed, told, asked } = await following();
  feed.take({ seq: 6 });
  equal(asked[1].fields, { promiseId: 'p', epoch: 'e', lastSeq: 3 });
  asked[1].resolve({ epoch: 'e', seq: 6, missed: [{ seq: 4 }, { seq: 5 }, { seq: 6 }] });
  await settle();
  feed.take({ seq: 7 });
  equal(told, ['Dinner', 'slot 50', 4, 5, 6, 'resumed', 'slot 0', 7]);
});

test('another epoch brings a snapshot and its own numbers', async () => {
  const { feed, told, asked } = await following();
  feed.pause();
  feed.resume();
  asked[1].resolve({ epoch: 'f', seq: 1, snapshot: { title: 'Supper' } });
  await settle();
  feed.take({ seq: 2 });
  equal(told, ['Dinner', 'slot 50', 'Supper', 'slot 0', 2]);
});

test('notifies neither before the reply nor after the end', async () => {
  const { feed, told, asked } = world();
  feed.resume();
  feed.take({ seq: 1 });
  feed.stop();
  asked[0].resolve({ epoch: 'e', seq: 3, snapshot: { title: 'Dinner' } });
  await settle();
  equal(told, []);
});

test('a permanent refusal ends the feed, a cut connection does not', async () => {
  const { feed, told, asked } = world();
  feed.resume();
  asked[0].reject(new PromisedError('client.disconnected'));
  await settle();
  feed.resume();
  expect(asked.length === 2, 'it asks again');
  asked[1].reject(new PromisedError('promise.not-found', { retry: 'NEVER' }));
  await settle();
  feed.resume();
  equal([told, asked.length], [['promise.not-found'], 2]);
});
