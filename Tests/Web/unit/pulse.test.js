import { Connection } from '/assets/client/connection.js';
import { FakeSocket } from './fakes.js';
import { equal, settle, test, until } from './harness.js';

/** Runs `body` with a connection whose time the test moves, pulse by pulse of five seconds. */
async function withTime(body, { opens = true } = {}) {
  const { setInterval, clearInterval } = globalThis;
  const real = performance.now;
  let now = 0;
  let beat = null;
  performance.now = () => now;
  globalThis.setInterval = (pulse) => (beat = pulse);
  globalThis.clearInterval = () => (beat = null);
  try {
    const socket = new FakeSocket();
    const ended = [];
    const connection = new Connection(socket, {
      onOpen() {}, onEvent() {}, onEnd: (code) => ended.push(code), askForLife: () => connection.ask('syncClock'),
    });
    if (opens) socket.open();
    const pass = async (seconds) => {
      for (const end = now + seconds * 1000; now < end;) {
        now += 5000;
        beat?.();
        await settle();
      }
    };
    await body({ socket, ended, pass, asked: () => socket.sent.filter((frame) => 'syncClock' in frame).length });
  } finally {
    Object.assign(globalThis, { setInterval, clearInterval });
    performance.now = real;
  }
}

test('checks a silent connection, which stays open if it answers', () =>
  withTime(async ({ socket, ended, pass, asked }) => {
    await pass(25);
    equal(asked(), 0);
    for (let round = 1; round <= 6; round += 1) {
      await pass(5);
      equal(asked(), round);
      // A refusal will do.
      socket.answer('syncClock', { error: { code: 'auth.required', message: 'No.', retry: 'NEVER' } });
      await pass(25);
    }
    equal([asked(), ended.length, socket.isClosed], [6, 0, false]);
  }));

test('does not check a server that sends data', () =>
  withTime(async ({ socket, ended, pass, asked }) => {
    for (let round = 0; round < 20; round += 1) {
      await pass(20);
      socket.receive({ event: {} });
    }
    equal([asked(), ended.length], [0, 0]);
  }));

test('disconnects from a vanished server within 45 seconds', () =>
  withTime(async ({ socket, ended, pass, asked }) => {
    await pass(40);
    equal([asked(), ended.length], [1, 0]);
    await pass(5);
    equal([asked(), ended.length, socket.isClosed], [1, 1, true]);
  }));

test('an attempt to connect times out after 30 seconds', () =>
  withTime(async ({ socket, ended, pass, asked }) => {
    await pass(25);
    equal([ended.length, socket.isClosed], [0, false]);
    await pass(5);
    equal([asked(), ended.length, socket.isClosed], [0, 1, true]);
  }, { opens: false }));

/** A connection that is open, with what it was told of its end. */
function checked() {
  const [socket, ended] = [new FakeSocket(), []];
  const connection = new Connection(socket, { onOpen() {}, onEvent() {}, onEnd: (code) => ended.push(code), askForLife: () => connection.ask('syncClock') });
  const asked = () => socket.sent.filter((frame) => 'syncClock' in frame).length;
  return { socket, ended, connection, asked };
}

test('a checked connection without an answer ends, whatever else arrives', async () => {
  const { socket, ended, connection, asked } = checked();
  socket.open();
  connection.check(1);
  socket.receive({ event: {} });
  await until(() => ended.length > 0);
  equal([ended.length, asked(), socket.isClosed], [1, 1, true]);
});

test('a checked connection that answers stays open, and can be checked again', async () => {
  const { socket, ended, connection, asked } = checked();
  connection.check(1);
  equal(asked(), 0);
  socket.open();
  for (let round = 1; round <= 2; round += 1) {
    connection.check(60_000);
    connection.check(60_000);
    equal(asked(), round);
    socket.answer('syncClock', round === 1 ? { clock: {} } : { error: { code: 'limit.rate', message: 'No.', retry: 'LATER' } });
    await settle();
  }
  equal(ended, []);
  connection.leave();
  connection.check(1);
  equal(asked(), 2);
});
