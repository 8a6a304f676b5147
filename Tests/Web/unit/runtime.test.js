import { PromisedClient, PromisedViewer, RecordingStore, preparedPhoto } from '/assets/promised.js';
import { FakeSocket, FakeStorage } from './fakes.js';
import { equal, rejection, test } from './harness.js';

/** Runs a test without something that runtimes other than browsers lack. */
async function without(name, body) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value: undefined, configurable: true, writable: true });
  try {
    await body();
  } finally {
    if (before) Object.defineProperty(globalThis, name, before);
    else delete globalThis[name];
  }
}

const thrown = (body) => rejection(new Promise((resolve) => resolve(body())));
const options = () => ({ url: 'ws://nowhere', storage: new FakeStorage(), tabStorage: null });

test('without a WebSocket the client reports it, with the remedy', () => without('WebSocket', async () => {
  for (const make of [() => new PromisedClient(options()), () => new PromisedViewer('code', options())]) {
    const error = await thrown(make);
    equal([error.name, error.code, error.retry], ['PromisedError', 'client.unsupported', 'NEVER']);
    equal(/WebSocket.*`open`/.test(error.message), true);
  }
}));

test('a custom socket needs no WebSocket', () => without('WebSocket', async () => {
  const socket = new FakeSocket();
  const client = new PromisedClient({ ...options(), open: () => socket });
  const failing = rejection(client.signIn('ada@example.org', 'long enough'));
  socket.close(1006);
  equal((await failing).code, 'client.offline');
}));

test('without a database recordings report it', () => without('indexedDB', async () => {
  const error = await rejection(new RecordingStore({ name: 'none' }).list('ada'));
  equal([error.code, /indexedDB.*`store`/.test(error.message)], ['client.unsupported', true]);
}));

test('without a page photos cannot be prepared', async () => {
  // Browsers cannot take `document` away: only other runtimes come here.
  if (globalThis.document) return;
  equal((await rejection(preparedPhoto(new Blob([])))).code, 'client.unsupported');
});
