import { CourseRecorder, PromisedError, RecordingStore } from '/assets/promised.js';
import { DeviceClocks } from '/assets/client/deviceclocks.js';
import { randomName } from '/assets/client/credentials.js';
import { equal, expect, rejection, test, until } from './harness.js';

/** A client whose server keeps one recording. */
class FakeRecordings extends EventTarget {
  user = { userId: 'ada' };
  clock = { rate: 1 };
  state = 'online';
  asked = [];
  points = new Map();
  refusals = {};
  isAnswerLost = false;

  setState(state) {
    this.state = state;
    this.dispatchEvent(new Event('state'));
  }

  async call(name, fields) {
    if (this.state !== 'online') throw new PromisedError('client.offline');
    this.asked.push([name, fields]);
    const refusal = this.refusals[name]?.shift();
    if (refusal) throw refusal;
    const reply = this[name](fields);
    if (this.isAnswerLost) {
      this.isAnswerLost = false;
      this.setState('waiting');
      throw new PromisedError('client.disconnected');
    }
    return reply;
  }

  startRecording = ({ key }) => ({ recordingId: 'r-' + key });
  appendRecording = ({ points }) => {
    for (const point of points) if (!this.points.has(point.seq)) this.points.set(point.seq, point);
    return { taken: points.map(({ seq }) => seq), lastSeq: Math.max(...this.points.keys()) };
  };
  finishRecording = () => ({ courseId: 'c' });
  discardRecording = () => ({});

  requests(name) {
    return this.asked.filter(([one]) => one === name).map(([, fields]) => fields);
  }
}

const world = (options) => ({ client: new FakeRecordings(), store: new RecordingStore({ name: 'test-' + randomName(), ...options }) });
const at = (number) => ({ latitude: 37.5 + number * 1e-4, longitude: 127, accuracyMetres: 5 });

async function add(recorder, count) {
  for (let number = 0; number < count; number += 1) await recorder.add(at(number));
}

test('records a way in segments, sends it in batches of at most 200, and finishes it once', async () => {
  const { client, store } = world();
  const recorder = await CourseRecorder.start(client, { activity: 'WALK', title: 'Home' }, { store });
  await add(recorder, 3);
  await recorder.pause();
  await add(recorder, 2);
  await recorder.unpause();
  await add(recorder, 447);
  const [one, other] = await Promise.all([recorder.finish({ title: 'Way home' }), recorder.finish()]);
  equal([one.courseId, other.courseId, client.requests('finishRecording').length], ['c', 'c', 1]);
  const [{ activity, title, key }] = client.requests('startRecording');
  equal([activity, title, key.length], ['WALK', 'Home', 32]);
  equal(client.requests('finishRecording'), [{ recordingId: 'r-' + key, title: 'Way home' }]);
  equal(client.requests('appendRecording').every(({ points }) => points.length <= 200), true);
  const all = [...client.points.values()];
  equal([all.length, all.filter(({ segment }) => segment === 0).length, all.at(-1).seq], [450, 3, 450]);
  expect(all.every((point) => point.uptimeMs > 0 && Date.parse(point.recordedAt) > 0), 'each has both clocks');
  expect(client.requests('appendRecording').every((fields) => fields.uptimeMs > 0 && fields.sentAt), 'each request has both clocks');
  equal(await store.list('ada'), []);
});

test('without a connection points wait on the disk, and are sent after a reload', async () => {
  const { client, store } = world();
  client.setState('waiting');
  const recorder = await CourseRecorder.start(client, { activity: 'RIDE' }, { store });
  await add(recorder, 250);
  equal([recorder.waiting, client.asked.length], [250, 0]);
  await recorder.close();
  const [record] = await CourseRecorder.unfinished(client, store);
  equal([record.activity, record.state, record.lastSeq], ['RIDE', 'recording', 250]);
  const clocks = Object.assign(new DeviceClocks(), { boot: 'another' });
  const again = await CourseRecorder.resume(client, record, { store, clocks });
  await again.add(at(300));
  client.setState('online');
  await until(() => again.waiting === 0);
  equal([client.points.size, client.points.get(251).segment], [251, 0]);
  // The monotonic clock of the page before says nothing to this one.
  equal([client.points.get(1).uptimeMs, typeof client.points.get(251).uptimeMs], [undefined, 'number']);
  await again.finish();
});

test('a lost reply repeats points, and each is counted once', async () => {
  const { client, store } = world();
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  client.isAnswerLost = true;
  await add(recorder, 5);
  const finishing = recorder.finish();
  await until(() => client.state === 'waiting');
  client.setState('online');
  await finishing;
  equal(client.points.size, 5);
  expect(client.requests('startRecording').every(({ key }) => key === recorder.about.key), 'one key');
});

test('finishes later without a connection, also after a reload', async () => {
  const { client, store } = world();
  client.setState('waiting');
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  await add(recorder, 2);
  recorder.finish({ title: 'Later' });
  await until(() => recorder.state === 'finishing');
  let [record] = [];
  while (record?.state !== 'finishing') [record] = await CourseRecorder.unfinished(client, store);
  await recorder.close();
  const again = await CourseRecorder.resume(client, record, { store });
  let course = null;
  again.addEventListener('finished', ({ detail }) => (course = detail));
  client.setState('online');
  await until(() => course);
  equal([client.points.size, client.requests('finishRecording')[0].title], [2, 'Later']);
});

test('an hour without a network arrives completely, each point with its time', async () => {
  const { client, store } = world();
  client.setState('waiting');
  let seconds = 0;
  const clocks = Object.assign(new DeviceClocks(), { uptime: () => 1000 * seconds, wall: () => 1_700_000_000_000 + 1000 * seconds });
  const recorder = await CourseRecorder.start(client, { activity: 'RIDE' }, { store, clocks });
  for (; seconds < 3600; seconds += 10) await recorder.add(at(seconds));
  client.setState('online');
  await recorder.finish();
  const all = [...client.points.values()];
  equal([all.length, client.requests('appendRecording').map(({ points }) => points.length)], [360, [200, 160]]);
  expect(all.every(({ seq, uptimeMs, recordedAt }) => uptimeMs === 10_000 * (seq - 1) && Date.parse(recordedAt) === 1_700_000_000_000 + uptimeMs),
    'the times are those of the points');
});

test('a full disk keeps the newest points', async () => {
  const { client, store } = world({ mostPoints: 10 });
  client.setState('waiting');
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  await add(recorder, 25);
  equal([recorder.waiting, (await store.points(recorder.about.key)).map(({ seq }) => seq)], [10, [16, 17, 18, 19, 20, 21, 22, 23, 24, 25]]);
  recorder.close();
});

test('drops points that the server never accepts', async () => {
  const { client, store } = world();
  client.appendRecording = ({ points }) => ({
    taken: points.map(({ seq }) => seq).filter((seq) => seq > 1),
    rejected: points.filter(({ seq }) => seq === 1).map(({ seq }) => ({ seq, code: 'position.too-old' })),
  });
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  await add(recorder, 3);
  await recorder.finish();
  equal([recorder.waiting, new Set(client.requests('appendRecording').flatMap(({ points }) => points.map(({ seq }) => seq))).size], [0, 3]);
});

test('a permanently refused request does not block later points', async () => {
  const { client, store } = world();
  client.refusals.appendRecording = [new PromisedError('request.invalid')];
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  await add(recorder, 250);
  await recorder.finish();
  expect(client.points.size >= 50 && client.points.has(250), 'the later ones are there');
});

test('a course that is too short remains a recording', async () => {
  const { client, store } = world();
  client.refusals.finishRecording = [new PromisedError('course.too-short')];
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  await add(recorder, 1);
  equal((await rejection(recorder.finish())).code, 'course.too-short');
  equal(recorder.state, 'paused');
  await recorder.unpause();
  await add(recorder, 1);
  equal((await recorder.finish()).courseId, 'c');
});

test('a recording that the server closed becomes the course that it made', async () => {
  const { client, store } = world();
  client.refusals.appendRecording = [new PromisedError('recording.closed')];
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  await add(recorder, 2);
  equal((await recorder.finish()).courseId, 'c');
});

test('reports a deleted recording and removes it from the disk', async () => {
  const { client, store } = world();
  client.refusals.appendRecording = [new PromisedError('recording.not-found')];
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  await add(recorder, 2);
  equal((await rejection(recorder.finish())).code, 'recording.not-found');
  equal(await store.list('ada'), []);
});

test('discarding deletes it locally and on the server', async () => {
  const { client, store } = world();
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  await until(() => client.requests('startRecording').length === 1);
  await add(recorder, 2);
  await recorder.discard();
  equal([client.requests('discardRecording').length, await store.list('ada'), await store.count(recorder.about.key)], [1, [], 0]);
});

test('a second tab cannot open a recording in use, and another user does not see it', async () => {
  const { client, store } = world();
  const recorder = await CourseRecorder.start(client, { activity: 'WALK' }, { store });
  const [record] = await CourseRecorder.unfinished(client, store);
  equal((await rejection(CourseRecorder.resume(client, record, { store }))).code, 'client.busy');
  client.user = { userId: 'ben' };
  equal(await CourseRecorder.unfinished(client, store), []);
  recorder.close();
});

test('dates a point by the monotonic clock, and by the wall clock after a sleep', () => {
  const clocks = Object.assign(new DeviceClocks(), { boot: 'b', uptime: () => 10_000, wall: () => 1_000_000 });
  const [exact, fast] = [{ rate: 1 }, { rate: 20, now: () => 2_000_000 }];
  const shown = (reading, server = exact) => clocks.dated({ boot: 'b', ...reading }, server);
  equal(shown({ uptime: 4000, wall: 994_000 }), { uptimeMs: 4000, recordedAt: '1970-01-01T00:16:34.000Z' });
  equal(shown({ uptime: 4000, wall: 994_000 }, fast), { uptimeMs: 80_000, recordedAt: '1970-01-01T00:31:20.000Z' });
  equal(shown({ uptime: 9000, wall: 400_000 }), { recordedAt: '1970-01-01T00:06:40.000Z' });
  equal(shown({ boot: 'a', uptime: 4000, wall: 994_000 }), { recordedAt: '1970-01-01T00:16:34.000Z' });
  equal(clocks.sending(fast), { uptimeMs: 200_000, sentAt: '1970-01-01T00:33:20.000Z' });
  equal(clocks.sending(exact), { uptimeMs: 10_000, sentAt: '1970-01-01T00:16:40.000Z' });
});
