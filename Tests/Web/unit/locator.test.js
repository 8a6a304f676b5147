import { Locator } from '/assets/locator.js';
import { Recording } from '/assets/recording.js';
import { CourseRecorder } from '/assets/promised.js';
import { equal, expect, rejection, settle, test } from './harness.js';

const WEEK_MS = 7 * 86_400_000;
const COORDS = { latitude: 37.5, longitude: 127, accuracy: 8, altitude: null, speed: null, heading: null };

/** Runs a test with a receiver, a monotonic clock and a wall clock of its own. */
async function withReceiver(body) {
  const watches = [];
  const geolocation = {
    watchPosition: (found, failed, options) => watches.push({ found, failed, options }),
    clearWatch: (number) => { watches[number - 1] = null; },
  };
  const clocks = { uptime: 5000, wall: Date.UTC(2026, 10, 27) };
  const [real, wall] = [Object.getOwnPropertyDescriptor(performance, 'now'), Date.now];
  const secure = Object.getOwnPropertyDescriptor(globalThis, 'isSecureContext');
  const receiver = Object.getOwnPropertyDescriptor(navigator, 'geolocation');
  Object.defineProperty(globalThis, 'isSecureContext', { value: true, configurable: true });
  Object.defineProperty(navigator, 'geolocation', { value: geolocation, configurable: true });
  performance.now = () => clocks.uptime;
  Date.now = () => clocks.wall;
  const pass = (ms) => {
    clocks.uptime += ms;
    clocks.wall += ms;
  };
  /** The newest watch delivers a position whose own time is behind the wall clock. */
  const deliver = (behindMs, coords = COORDS) =>
    watches.findLast((watch) => watch).found({ coords, timestamp: clocks.wall - behindMs });
  try {
    await body({ watches, clocks, pass, deliver });
  } finally {
    delete navigator.geolocation;
    if (receiver) Object.defineProperty(navigator, 'geolocation', receiver);
    delete performance.now;
    if (real) Object.defineProperty(performance, 'now', real);
    delete globalThis.isSecureContext;
    if (secure) Object.defineProperty(globalThis, 'isSecureContext', secure);
    Date.now = wall;
  }
}

for (const [name, behindMs] of [
  ['right', 0], ['70 s behind', 70_000], ['an hour behind', 3_600_000], ['1,024 weeks behind', 1024 * WEEK_MS],
  ['three minutes ahead', -180_000], ['an hour ahead', -3_600_000],
]) {
  test(`a position just delivered is new, although its time is ${name}`, () => withReceiver(async ({ watches, pass, deliver }) => {
    const locator = new Locator();
    const first = locator.locate();
    pass(700);
    deliver(behindMs);
    equal((await first).ageMs, 0);
    pass(3000);
    // It is young enough to be used again: the watch goes on.
    equal((await locator.locate()).ageMs, 3000);
    equal(watches.length, 1);
    deliver(behindMs);
    equal((await locator.locate()).ageMs, 0);
  }));
}

for (const [ms, watches] of [[9999, 1], [10_000, 2], [10_001, 2]]) {
  test(`${ms} ms after its delivery a position ${watches === 1 ? 'is used again' : 'is asked for anew'}`, () =>
    withReceiver(async (receiver) => {
      const locator = new Locator();
      locator.start();
      receiver.deliver(0);
      receiver.pass(ms);
      const located = locator.locate();
      if (watches === 2) receiver.deliver(0);
      equal((await located).ageMs, watches === 1 ? ms : 0);
      equal(receiver.watches.length, watches);
    }));
}

test('requests a new position after the device slept', () => withReceiver(async ({ watches, clocks, pass, deliver }) => {
  const locator = new Locator();
  locator.start();
  deliver(0);
  pass(1000);
  clocks.wall += 3_600_000;
  const located = locator.locate();
  equal(watches.length, 2);
  deliver(0);
  equal((await located).ageMs, 0);
}));

test('does not request cached positions', () => withReceiver(async ({ watches }) => {
  new Locator().start();
  equal(watches[0].options.maximumAge, 0);
}));

for (const [name, behindMs] of [['right', 0], ['70 s behind', 70_000], ['1,024 weeks behind', 1024 * WEEK_MS], ['an hour ahead', -3_600_000]]) {
  test(`dates a recorded way by the delivery of its positions; the receiver is ${name}`, () =>
    withReceiver(async ({ clocks, pass, deliver }) => {
      const kept = [];
      const store = { keep: async () => {}, count: async () => kept.length, add: async (_, point) => kept.push(point), points: async () => [] };
      const client = Object.assign(new EventTarget(), {
        state: 'waiting', user: { userId: 'ada' }, recordCourse: (fields) => CourseRecorder.start(client, fields, { store }),
      });
      const recording = new Recording(client);
      await recording.start({ activity: 'WALK' });
      const expected = [];
      for (let number = 0; number < 3; number += 1) {
        deliver(behindMs, { ...COORDS, latitude: 37.5 + number / 1000 });
        expected.push([clocks.uptime, clocks.wall]);
        pass(5000);
        await settle();
      }
      equal(kept.map(({ reading }) => [reading.uptime, reading.wall]), expected);
      expect(recording.metres > 200, 'the way has a length');
      recording.recorder.close();
    }));
}

test('reports a withdrawn permission at once, and restarts the watch when it returns', () => withReceiver(async ({ watches, deliver }) => {
  const permission = Object.assign(new EventTarget(), { state: 'granted' });
  const { query } = navigator.permissions;
  navigator.permissions.query = async () => permission;
  const change = (state) => {
    permission.state = state;
    permission.dispatchEvent(new Event('change'));
  };
  try {
    const locator = new Locator();
    const told = [];
    locator.addEventListener('lost', ({ detail }) => told.push(detail));
    await settle();
    change('granted');
    equal(watches.length, 0, 'a locator that is off stays off');
    locator.start();
    deliver(0);
    change('denied');
    equal(told, ['PERMISSION']);
    // The position from before is not used again.
    const failed = rejection(locator.locate());
    watches.findLast((watch) => watch).failed({ code: 1 });
    equal((await failed).cause, 'PERMISSION');
    change('granted');
    deliver(0);
    equal((await locator.locate()).ageMs, 0);
    locator.stop();
    const { length } = watches;
    change('granted');
    change('denied');
    equal([watches.length, told.length], [length, 2]);
  } finally {
    navigator.permissions.query = query;
  }
}));

test('a recording reports missing positions, and continues when the permission returns', () => withReceiver(async ({ watches, deliver }) => {
  const permission = Object.assign(new EventTarget(), { state: 'granted' });
  const { query } = navigator.permissions;
  navigator.permissions.query = async () => permission;
  try {
    const points = [];
    const store = { keep: async () => {}, count: async () => points.length, add: async (_, point) => points.push(point), points: async () => [] };
    const client = Object.assign(new EventTarget(), {
      state: 'waiting', user: { userId: 'ada' }, recordCourse: (fields) => CourseRecorder.start(client, fields, { store }),
    });
    const recording = new Recording(client);
    const told = [];
    recording.addEventListener('change', () => told.push(recording.trouble));
    await recording.start({ activity: 'WALK' });
    deliver(0);
    await settle();
    equal([recording.trouble, points.length], [null, 1]);
    watches[0].failed({ code: 2 });
    equal([recording.trouble, told.at(-1)], ['NO_FIX', 'NO_FIX']);
    deliver(0, { ...COORDS, latitude: 37.6 });
    await settle();
    equal([recording.trouble, told.at(-1), points.length, recording.lines.length], [null, null, 2, 2]);
    permission.state = 'denied';
    permission.dispatchEvent(new Event('change'));
    watches[0].failed({ code: 1 });
    equal([recording.trouble, watches.length], ['PERMISSION', 1]);
    permission.state = 'granted';
    permission.dispatchEvent(new Event('change'));
    equal([recording.trouble, watches.length, watches[0]], [null, 2, null]);
    deliver(0, { ...COORDS, latitude: 37.7 });
    await settle();
    equal(points.length, 3);
    // A pause has no trouble, and a permission that comes back meanwhile begins nothing.
    watches[1].failed({ code: 1 });
    await recording.pause();
    permission.dispatchEvent(new Event('change'));
    equal([recording.trouble, watches.length], [null, 2]);
    recording.recorder.close();
  } finally {
    navigator.permissions.query = query;
  }
}));
