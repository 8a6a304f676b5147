import { PromisedError, Viewport } from '/assets/promised.js';
import { equal, settle, test } from './harness.js';

/** A viewport whose timers and requests are the test's. */
function world() {
  const told = [];
  const asked = [];
  const waiting = new Map();
  let next = 0;
  const timers = {
    set(body, ms) {
      next += 1;
      waiting.set(next, { body, ms });
      return next;
    },
    clear: (timer) => waiting.delete(timer),
  };
  const ask = (fields) => new Promise((resolve, reject) => asked.push({ fields, resolve, reject }));
  const viewport = new Viewport(ask, {
    onView: (view, { zoom }) => told.push([view.total, zoom]),
    onError: (error, { zoom }) => told.push([error.code, zoom]),
  }, { timers, pauseMs: 150 });
  /** The map has rested. */
  const rest = () => {
    const due = [...waiting.values()];
    waiting.clear();
    for (const { body } of due) body();
    return due.map(({ ms }) => ms);
  };
  return { viewport, told, asked, rest };
}

test('requests once, after the map has stopped', () => {
  const { viewport, asked, rest } = world();
  for (const zoom of [1, 2, 3]) viewport.show({ zoom });
  equal(asked.length, 0);
  equal(rest(), [150]);
  equal(asked.map(({ fields }) => fields), [{ zoom: 3 }]);
});

test('delivers a reply with its request', async () => {
  const { viewport, told, asked, rest } = world();
  viewport.show({ zoom: 4 });
  rest();
  asked[0].resolve({ total: 7 });
  await settle();
  equal(told, [[7, 4]]);
});

test('drops a reply or an error that arrives after the map has moved', async () => {
  const { viewport, told, asked, rest } = world();
  viewport.show({ zoom: 1 });
  rest();
  viewport.show({ zoom: 2 });
  asked[0].resolve({ total: 1 });
  rest();
  viewport.show({ zoom: 3 });
  asked[1].reject(new PromisedError('server.unavailable'));
  rest();
  asked[2].resolve({ total: 3 });
  await settle();
  equal(told, [[3, 3]]);
});

test('with replies out of order, the one to the latest request counts', async () => {
  const { viewport, told, asked, rest } = world();
  viewport.show({ zoom: 1 });
  rest();
  viewport.show({ zoom: 2 });
  rest();
  asked[1].resolve({ total: 2 });
  await settle();
  asked[0].resolve({ total: 1 });
  await settle();
  equal(told, [[2, 2]]);
});

test('reports a failure, and the next movement retries', async () => {
  const { viewport, told, asked, rest } = world();
  viewport.show({ zoom: 1 });
  rest();
  asked[0].reject(new PromisedError('server.unavailable'));
  await settle();
  viewport.show({ zoom: 1 });
  rest();
  asked[1].resolve({ total: 1 });
  await settle();
  equal(told, [['server.unavailable', 1], [1, 1]]);
});

test('a stopped viewport sends no requests and no notifications', async () => {
  const { viewport, told, asked, rest } = world();
  viewport.show({ zoom: 1 });
  rest();
  viewport.stop();
  asked[0].resolve({ total: 1 });
  viewport.show({ zoom: 2 });
  viewport.stop();
  rest();
  await settle();
  equal(told, []);
  equal(asked.length, 1);
});
