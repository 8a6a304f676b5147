import { PromisedViewer } from '/assets/promised.js';
import { FakeSocket } from './fakes.js';
import { equal, expect, settle, test, until } from './harness.js';

const VIEW = { promise: { promiseId: 'p', title: 'Dinner' }, owner: { userId: 'a' }, serverTime: '2026-01-01T10:00:00Z' };

/** A viewer whose sockets the test holds. */
function world() {
  const sockets = [];
  const told = [];
  const viewer = new PromisedViewer('secret', {
    url: 'ws://nowhere',
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
  });
  viewer.addEventListener('view', ({ detail }) => told.push(detail.promise.title));
  viewer.addEventListener('event', ({ detail }) => told.push(Object.keys(detail).join()));
  return { viewer, told, sockets, socket: () => sockets.at(-1) };
}

async function watching() {
  const all = world();
  all.viewer.connect();
  all.socket().open();
  await settle();
  all.socket().answer('watchByLink', { linkView: VIEW });
  await settle();
  return all;
}

test('a viewer sends the code first, and shows the replies', async () => {
  const { viewer, told, socket } = await watching();
  equal(socket().sent.map((frame) => Object.keys(frame)[1]), ['watchByLink']);
  equal(socket().last('watchByLink').watchByLink, { code: 'secret' });
  socket().receive({ event: { promiseId: 'p', positions: {} } });
  socket().receive({ event: { promiseId: 'p', linkViewChanged: { view: { ...VIEW, promise: { title: 'Supper' } } } } });
  equal([viewer.state, told], ['online', ['Dinner', 'promiseId,positions', 'Supper']]);
  expect(Math.abs(viewer.clock.now() - Date.parse(VIEW.serverTime)) < 1000, 'the clock is the server\'s');
  viewer.close();
});

for (const reason of ['link-expired', 'link-revoked', 'link-replaced', 'promise-cancelled']) {
  test(`an end because of ${reason} is final, with the reason`, async () => {
    const { viewer, socket, sockets } = await watching();
    socket().receive({ event: { sessionRevoked: { reason } } });
    socket().close(4501);
    viewer.connect();
    equal([viewer.state, viewer.reason, sockets.length], ['ended', reason, 1]);
  });
}

test('an invalid code ends the viewer, a temporary refusal does not', async () => {
  for (const [code, state] of [['code.invalid', 'ended'], ['limit.viewers', 'waiting'], ['limit.attempts', 'waiting']]) {
    const { viewer, socket } = world();
    viewer.connect();
    socket().open();
    await settle();
    socket().answer('watchByLink', { error: { code } });
    await until(() => viewer.state === state);
    equal([viewer.reason, socket().isClosed], [code, true]);
    viewer.close();
  }
});

test('reconnects with the same code after a cut connection', async () => {
  const { viewer, told, socket, sockets } = await watching();
  socket().close(1006);
  equal(viewer.state, 'waiting');
  viewer.reconnect();
  equal(sockets.length, 2);
  socket().open();
  await settle();
  socket().answer('watchByLink', { linkView: VIEW });
  await settle();
  equal([viewer.state, told], ['online', ['Dinner', 'Dinner']]);
  viewer.close();
  equal([viewer.state, socket().isClosed], ['stopped', true]);
});
