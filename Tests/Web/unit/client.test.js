import { PromisedClient } from '/assets/promised.js';
import { FakeSocket, FakeStorage, SESSION } from './fakes.js';
import { equal, expect, rejection, settle, test, until } from './harness.js';

/** A client whose sockets the test holds. */
function world({ session = null, ...options } = {}) {
  const sockets = [];
  const storage = new FakeStorage();
  if (session) storage.setItem('promised.session', JSON.stringify(session));
  const client = new PromisedClient({
    url: 'ws://nowhere', storage, tabStorage: new FakeStorage(), strict: true, ...options,
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
  });
  return { client, sockets, storage, socket: () => sockets.at(-1) };
}

async function online() {
  const all = world({ session: SESSION });
  all.client.connect();
  all.socket().open();
  await settle();
  all.socket().answer('hello', { welcome: { user: SESSION.user, reportIntervalMs: 4000 } });
  await settle();
  return all;
}

test('a stored session sends hello with its token and device', async () => {
  const { client, socket } = await online();
  equal(client.state, 'online');
  equal(socket().last('hello').hello.token, 'access');
  expect(socket().last('hello').hello.deviceId === client.deviceId, 'the device has its name');
  equal(client.reportIntervalMs, 4000);
  client.close();
});

test('does not connect without a session', () => {
  const { client, sockets } = world();
  client.connect();
  equal([client.state, sockets.length], ['signed-out', 0]);
});

test('reports a refused sign-in, without a session', async () => {
  const { client, socket, storage } = world();
  const failing = rejection(client.signIn('ada@example.org', 'wrong'));
  socket().open();
  await settle();
  socket().answer('signIn', { error: { code: 'auth.invalid-credentials', message: 'No.', retry: 'NEVER' } });
  const error = await failing;
  equal([error.name, error.code, error.message, error.retry], ['PromisedError', 'auth.invalid-credentials', 'No.', 'NEVER']);
  equal([client.state, storage.getItem('promised.session')], ['signed-out', null]);
});

test('every sign-in sends the secret of the device, also after a sign-out', async () => {
  const { client, socket, storage } = world();
  const secrets = [];
  for (const request of ['signUp', 'signIn']) {
    const done = client[request]('ada@example.org', 'long enough', 'Ada');
    socket().open();
    await settle();
    secrets.push(socket().last(request)[request].deviceSecret);
    socket().answer(request, { session: SESSION });
    await settle();
    socket().answer('hello', { welcome: { user: SESSION.user } });
    await done;
    const out = client.signOut();
    await settle();
    socket().answer('signOut', { done: {} });
    await out;
  }
  equal(secrets[0].length, 32);
  equal(secrets, [secrets[0], secrets[0]]);
  equal([storage.getItem('promised.deviceSecret'), storage.getItem('promised.session')], [secrets[0], null]);
});

test('a sign-in by a code does not send the secret of the device', async () => {
  const { client, socket } = world();
  const done = client.exchangeCode('code');
  socket().open();
  await settle();
  equal(socket().last('exchangeCode').exchangeCode, { code: 'code' });
  socket().answer('exchangeCode', { session: SESSION });
  await settle();
  socket().answer('hello', { welcome: { user: SESSION.user } });
  await done;
});

test('a sign-in stores the session and then sends hello', async () => {
  const { client, socket, storage } = world();
  const done = client.signUp('ada@example.org', 'long enough', 'Ada');
  socket().open();
  await settle();
  equal(socket().last('signUp').signUp.nickname, 'Ada');
  socket().answer('signUp', { session: SESSION });
  await settle();
  socket().answer('hello', { welcome: { user: SESSION.user } });
  await done;
  equal([client.state, JSON.parse(storage.getItem('promised.session')).refreshToken], ['online', 'refresh']);
  client.close();
});

test('a single-use code signs in like a password', async () => {
  const { client, socket } = world();
  const done = client.exchangeCode('once');
  socket().open();
  await settle();
  equal(socket().last('exchangeCode').exchangeCode, { code: 'once' });
  socket().answer('exchangeCode', { session: SESSION });
  await settle();
  socket().answer('hello', { welcome: { user: SESSION.user } });
  await done;
  equal([client.state, client.user.nickname], ['online', 'Ada']);
  client.close();
});

test('refreshes a refused token and stores the new one', async () => {
  const { client, socket, storage } = world({ session: SESSION });
  client.connect();
  socket().open();
  await settle();
  socket().answer('hello', { error: { code: 'auth.token-invalid' } });
  await until(() => socket().last('refresh'));
  equal(socket().last('refresh').refresh.refreshToken, 'refresh');
  socket().answer('refresh', { session: { ...SESSION, accessToken: 'new', refreshToken: 'newer' } });
  await until(() => socket().last('hello').hello.token === 'new');
  equal(JSON.parse(storage.getItem('promised.session')).refreshToken, 'newer');
  client.close();
});

test('a refused refresh token ends the session', async () => {
  const { client, socket, storage } = world({ session: SESSION });
  client.connect();
  socket().open();
  await settle();
  socket().answer('hello', { error: { code: 'auth.token-invalid' } });
  await until(() => socket().last('refresh'));
  socket().answer('refresh', { error: { code: 'auth.token-invalid' } });
  await until(() => client.state === 'signed-out');
  equal([client.state, storage.getItem('promised.session')], ['signed-out', null]);
});

test('rejects the requests of an ended connection, and others until the next', async () => {
  const { client, socket } = await online();
  const waiting = rejection(client.call('getMe'));
  socket().close(1006);
  equal((await waiting).code, 'client.disconnected');
  equal((await rejection(client.call('getMe'))).code, 'client.offline');
  equal(client.state, 'waiting');
  client.close();
});

for (const [code, state, isKept] of [
  [1006, 'waiting', true], [4001, 'waiting', true], [4005, 'waiting', true], [4500, 'waiting', true],
  [4501, 'signed-out', false], [4502, 'waiting', true], [4503, 'outdated', true], [4504, 'replaced', true],
  [4505, 'signed-out', false], [4506, 'replaced', true], [4999, 'outdated', true],
]) {
  test(`after the close code ${code} the client is ${state}`, async () => {
    const { client, socket, storage } = await online();
    socket().close(code);
    equal([client.state, storage.getItem('promised.session') !== null], [state, isKept]);
    client.close();
  });
}

/** The server could not decode a frame. */
const MALFORMED = 'The server could not decode a frame';

test('after a malformed frame the open calls fail with the sentence and the field', async () => {
  const { client, socket } = await online();
  const [first, second] = [rejection(client.call('createPromise', { title: 7 })), rejection(client.call('report', {}))];
  socket().close(4502, `${MALFORMED}: createPromise.title`);
  const told = (error) => [error.code, error.message, error.field, error.retry];
  // The request behind it may be made again: the server has not seen it.
  equal(told(await first), ['request.invalid', `${MALFORMED}: createPromise.title`, 'createPromise.title', 'NEVER']);
  equal(told(await second), ['request.invalid', `${MALFORMED}: createPromise.title`, 'createPromise.title', 'LATER']);
  client.close();
});

test('does not attribute a malformed frame without a call to the first call', async () => {
  const { client, socket } = await online();
  client.send('reportTrouble', { cause: 7 });
  const call = rejection(client.call('report', {}));
  socket().close(4502, `${MALFORMED}: reportTrouble.cause`);
  equal((await call).retry, 'LATER');
  client.close();
});

test('the first open call gets a message even without a reason', async () => {
  const { client, socket } = await online();
  const call = rejection(client.call('report', {}));
  socket().close(4502);
  equal([(await call).code, (await call).message, (await call).field], ['request.invalid', `${MALFORMED}.`, '']);
  client.close();
});

test('reconnects after the first malformed frame; after the second it is outdated until told to connect', async () => {
  const { client, socket, sockets } = await online();
  socket().close(4502, `${MALFORMED}.`);
  equal(client.state, 'waiting');
  client.reconnect();
  socket().open();
  await settle();
  socket().answer('hello', { welcome: { user: SESSION.user } });
  await settle();
  equal([client.state, sockets.length], ['online', 2]);
  socket().close(4502, `${MALFORMED}.`);
  equal(client.state, 'outdated');
  client.connect();
  socket().close(4502, `${MALFORMED}.`);
  equal(client.state, 'waiting');
  client.close();
});

test('reports the reason of a malformed sign-in', async () => {
  const { client, socket } = world();
  const failing = rejection(client.signUp('ada@example.org', 7, 'Ada'));
  socket().open();
  await settle();
  socket().close(4502, `${MALFORMED}: signUp.password`);
  equal([(await failing).code, (await failing).field, client.state], ['request.invalid', 'signUp.password', 'signed-out']);
});

test('only a strict client declares itself strict', async () => {
  equal((await online()).socket().last('hello').hello.strict, true);
  const { client, socket } = world({ session: SESSION, strict: undefined });
  client.connect();
  socket().open();
  await settle();
  expect(!('strict' in socket().last('hello').hello), 'it is not named');
  client.close();
});

test('reconnecting resumes feeds at their marks', async () => {
  const { client, socket, sockets } = await online();
  const told = [];
  client.follow('p', { onSnapshot: () => told.push('snapshot'), onEvent: (event) => told.push(event.seq) });
  await settle();
  socket().answer('subscribe', { subscribed: { epoch: 'e', seq: 4, snapshot: { promiseId: 'p' } } });
  await settle();
  socket().receive({ event: { promiseId: 'p', seq: 5, trackingStarted: {} } });
  socket().close(1006);
  client.reconnect();
  equal(sockets.length, 2);
  socket().open();
  await settle();
  socket().answer('hello', { welcome: {} });
  await settle();
  equal(socket().last('subscribe').subscribe, { promiseId: 'p', epoch: 'e', lastSeq: 5 });
  socket().answer('subscribe', { subscribed: { epoch: 'e', seq: 6, missed: [{ promiseId: 'p', seq: 6, meetingTime: {} }] } });
  await settle();
  equal(told, ['snapshot', 5, 6]);
  client.close();
});

test('a viewport uses the current connection', async () => {
  const { client, socket } = await online();
  const views = [];
  const viewport = client.viewport({ onView: (view) => views.push(view.total) }, { pauseMs: 0 });
  viewport.show({ box: { south: 1 }, zoom: 14 });
  await until(() => socket().last('viewPlaces'));
  equal(socket().last('viewPlaces').viewPlaces, { box: { south: 1 }, zoom: 14 });
  socket().answer('viewPlaces', { placeView: { total: 3 } });
  await settle();
  equal(views, [3]);
  client.close();
});

test('delivers notifications in order, until the reader stops', async () => {
  const { client, socket } = await online();
  const notifications = client.notifications();
  const announce = (id) => socket().receive({ event: { notification: { notification: { notificationId: id } } } });
  announce('n1');
  announce('n2');
  equal((await notifications.next()).value.notificationId, 'n1');
  equal((await notifications.next()).value.notificationId, 'n2');
  await notifications.return();
  announce('n3');
  equal((await notifications.next()).done, true);
  client.close();
});

test('a nickname is checked without a sign-in, on a connection that then ends', async () => {
  const { client, sockets, socket } = world();
  const checking = client.checkNickname('Cem');
  socket().open();
  await settle();
  equal(socket().last('checkNickname').checkNickname, { nickname: 'Cem' });
  socket().answer('checkNickname', { nickname: { nickname: 'Cem', free: true } });
  equal(await checking, { nickname: 'Cem', free: true });
  await settle();
  equal([client.state, sockets.length, socket().isClosed], ['signed-out', 1, true]);
  const refused = rejection(client.checkNickname('Cem'));
  socket().open();
  await settle();
  socket().answer('checkNickname', { error: { code: 'limit.attempts', message: 'Later.' } });
  equal((await refused).code, 'limit.attempts');
  const cut = rejection(client.checkNickname('Cem'));
  socket().close(1006);
  equal((await cut).code, 'client.offline');
});

test('a signed-in user checks a nickname on the same connection', async () => {
  const { client, sockets, socket } = await online();
  const checking = client.checkNickname('Cem');
  socket().answer('checkNickname', { nickname: { nickname: 'Cem' } });
  equal([await checking, sockets.length], [{ nickname: 'Cem' }, 1]);
  client.close();
});

test('a changed account changes the card, a new password the session', async () => {
  const { client, socket, storage } = await online();
  const changing = client.updateMe({ nickname: 'Adele' });
  socket().answer('updateMe', { me: { user: { userId: 'ada', nickname: 'Adele', picture: 'file-1' } } });
  await changing;
  equal(client.user, { userId: 'ada', nickname: 'Adele', picture: 'file-1' });
  const next = client.changePassword('long enough', 'another one');
  equal(socket().last('changePassword').changePassword, { oldPassword: 'long enough', newPassword: 'another one' });
  socket().answer('changePassword', { session: { ...SESSION, refreshToken: 'next' } });
  await next;
  equal(JSON.parse(storage.getItem('promised.session')).refreshToken, 'next');
  client.close();
  equal((await rejection(client.changePassword('a', 'b'))).code, 'client.offline');
});

test('a deleted account leaves no session, a refused deletion all', async () => {
  const { client, socket, storage } = await online();
  const refused = rejection(client.deleteAccount('wrong'));
  socket().answer('deleteAccount', { error: { code: 'auth.invalid-credentials', message: 'No.' } });
  equal([(await refused).code, client.state], ['auth.invalid-credentials', 'online']);
  const deleting = client.deleteAccount('long enough');
  socket().answer('deleteAccount', { done: {} });
  await deleting;
  equal([client.state, storage.getItem('promised.session')], ['signed-out', null]);
});
