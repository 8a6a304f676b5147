import { randomName } from './credentials.js';
import { DeviceClocks } from './deviceclocks.js';
import { PromisedError } from './errors.js';
import { isCut } from './patience.js';
import { RecordingStore } from './recordingstore.js';

/** The most points of a request. */
const BATCH = 200;
/** The longest wait of a point for further ones, in milliseconds. */
const GATHER_MS = 10_000;
/** The delay before repeating a refused request if the server names none, in milliseconds. */
const AGAIN_MS = 10_000;

/**
 * Records a way: each point is stored on disk first, and sent when the server can be reached.
 *
 * ```
 *          start             pause, resume
 * (none) ────────▶ recording ◀──────────▶ paused
 *                      │ finish              │ finish
 *                      └──────▶ finishing ◀──┘ ──all points sent──▶ finished, a course
 * ```
 * `discard` ends it in every state; `close` leaves it unchanged, for {@link CourseRecorder.resume} after a reload.
 *
 * Events: `change` (state or numbers), `finished` (detail: the course), `lost` (detail: the server's refusal; it is
 * over), `refused` (detail: a refusal after which the points remain pending).
 */
export class CourseRecorder extends EventTarget {
  #client;
  #store;
  #clocks;
  #record;
  #waiting = 0;
  #timer = null;
  #sending = null;
  #isWanted = false;
  #isClosed = false;
  #isOver = false;
  #letGo = () => Promise.resolve();
  /** The outcome that {@link finish} waits for. */
  #end = outcome();
  #writing = Promise.resolve();
  #onState = () => this.#flush();

  /**
   * Begins a recording, with or without a connection.
   * @param {PromisedClient} client
   * @param {{activity: string, title?: string}} fields
   * @param {{store?: RecordingStore, clocks?: DeviceClocks}} [seams]
   */
  static async start(client, { activity, title = '' }, seams = {}) {
    const record = {
      key: randomName(), userId: client.user.userId, activity, title, recordingId: '', state: 'recording', startedAt: Date.now(),
      lastSeq: 0, segment: 0, finish: null,
    };
    const store = seams.store ?? new RecordingStore();
    await store.keep(record);
    return CourseRecorder.resume(client, record, { ...seams, store });
  }

  /** The signed-in user's unfinished recordings in this browser, the oldest first. */
  static async unfinished(client, store = new RecordingStore()) {
    return store.list(client.user.userId);
  }

  /**
   * Continues a recording from {@link unfinished}. A pause since then begins the next segment.
   * @throws {PromisedError} `client.busy` while another tab has it open
   */
  static async resume(client, record, seams = {}) {
    const letGo = await hold('promised.recording.' + record.key);
    const recorder = new CourseRecorder(client, record, seams);
    recorder.#letGo = letGo;
    recorder.#waiting = await recorder.#store.count(record.key);
    recorder.#flush();
    return recorder;
  }

  /** Use {@link start} or {@link resume}. */
  constructor(client, record, { store = new RecordingStore(), clocks = new DeviceClocks() } = {}) {
    super();
    this.#client = client;
    this.#record = { ...record };
    this.#store = store;
    this.#clocks = clocks;
    client.addEventListener('state', this.#onState);
  }

  /** `recording`, `paused` or `finishing`. */
  get state() {
    return this.#record.state;
  }

  /** Its ids in this browser and on the server, activity and title, and when it began in milliseconds since 1970. */
  get about() {
    const { key, recordingId, activity, title, startedAt } = this.#record;
    return { key, recordingId, activity, title, startedAt };
  }

  /** The number of points so far. */
  get points() {
    return this.#record.lastSeq;
  }

  /** The number of points that the server has not settled. */
  get waiting() {
    return this.#waiting;
  }

  /**
   * Adds a position; ignored unless recording.
   * @param {object} position latitude, longitude, and if known altitudeMetres, accuracyMetres, speedMps
   * @param {number} [ageMs] the age of the position, in milliseconds
   * @returns {Promise<void>} fulfilled when it is on the disk
   */
  async add({ latitude, longitude, altitudeMetres, accuracyMetres, speedMps }, ageMs = 0) {
    if (this.state !== 'recording' || this.#isClosed) return;
    this.#record.lastSeq += 1;
    const { lastSeq: seq, segment } = this.#record;
    const point = { seq, segment, latitude, longitude, altitudeMetres, accuracyMetres, speedMps };
    const reading = this.#clocks.reading(ageMs);
    await this.#write(() => this.#store.add(this.#record, { ...point, reading }), { isCounted: true });
    if (this.#waiting >= BATCH) this.#flush();
    else this.#schedule(GATHER_MS);
  }

  /** Ignores positions until {@link unpause}, which begins the next segment. */
  async pause() {
    if (this.state === 'recording') await this.#change({ state: 'paused' });
  }

  async unpause() {
    if (this.state === 'paused') await this.#change({ state: 'recording', segment: this.#record.segment + 1 });
  }

  /**
   * Sends the pending points and makes the course, once. Without a connection that happens later, even after a reload.
   * @param {{folderId?: string, title?: string, memo?: string, photos?: object[]}} [fields]
   * @returns {Promise<object>} the course
   * @throws {PromisedError} the refusal, such as `course.too-short`; it is paused then
   */
  finish(fields = {}) {
    // After a reload it may be finishing already, with its earlier fields.
    if (this.state !== 'finishing' && !this.#isClosed) {
      this.#change({ state: 'finishing', finish: fields }).then(() => this.#flush());
    }
    return this.#end.promise;
  }

  /** Deletes it, here and on the server. @throws {PromisedError} `client.offline` if the server has a part of it */
  async discard() {
    // The request that begins it on the server may be in transit.
    await this.#sending;
    const { recordingId } = this.#record;
    if (recordingId) await this.#client.call('discardRecording', { recordingId }).catch(unlessGone);
    await this.#over();
  }

  /** Leaves it unfinished. @returns {Promise<void>} fulfilled when another page can resume it */
  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#client.removeEventListener('state', this.#onState);
    return this.#letGo();
  }

  // Disk

  async #change(fields) {
    Object.assign(this.#record, fields);
    await this.#write(() => this.#store.keep(this.#record));
  }

  /** Writes one after the other, so that no older state or number follows a newer one. */
  #write(work, { isCounted = false } = {}) {
    const writing = this.#writing.then(async () => {
      // A pending write must not restore it.
      if (this.#isOver) return;
      await work();
      if (isCounted) this.#waiting = await this.#store.count(this.#record.key);
      this.dispatchEvent(new Event('change'));
    });
    this.#writing = writing.catch(() => undefined);
    return writing;
  }

  async #over() {
    await this.#write(() => this.#store.remove(this.#record.key), { isCounted: true });
    this.#isOver = true;
    await this.close();
  }

  // Server

  #schedule(ms) {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => this.#flush(), ms);
  }

  /** Sends until nothing is pending; one run at a time, followed by another if requested meanwhile. */
  #flush() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#sending) this.#isWanted = true;
    if (this.#isClosed || this.#sending || this.#client.state !== 'online') return;
    this.#isWanted = false;
    this.#sending = this.#sendAll().catch((error) => this.#failed(error)).finally(() => {
      this.#sending = null;
      if (this.#isWanted) this.#flush();
      else if (this.#waiting > 0 || this.state === 'finishing') this.#schedule(GATHER_MS);
    });
  }

  async #sendAll() {
    await this.#begin();
    while (!this.#isClosed && (await this.#sendBatch()));
    if (!this.#isClosed && this.state === 'finishing' && this.#waiting === 0) await this.#finish();
  }

  async #begin() {
    const { recordingId, key, activity, title } = this.#record;
    if (recordingId) return;
    const reply = await this.#client.call('startRecording', { key, activity, ...(title && { title }) });
    await this.#change({ recordingId: reply.recordingId });
  }

  /** @returns {Promise<boolean>} true if more points are pending */
  async #sendBatch() {
    const { key, recordingId } = this.#record;
    const batch = await this.#store.points(key, BATCH);
    if (batch.length === 0) return false;
    const { clock } = this.#client;
    const points = batch.map(({ key: _, reading, ...point }) => ({ ...point, ...this.#clocks.dated(reading, clock) }));
    const request = { recordingId, points, ...this.#clocks.sending(clock) };
    const { taken = [], rejected = [] } = await this.#client.call('appendRecording', request).catch((error) => {
      // A request that every server refuses must not block the points after it.
      if (error.code?.startsWith('recording.') || error.retry !== 'NEVER') throw error;
      return { taken: batch.map(({ seq }) => seq) };
    });
    const settled = new Set([...taken, ...rejected.map(({ seq = 0 }) => seq)]);
    await this.#settle(settled);
    // If the server settles none of these points, the request is repeated later, not at once.
    return this.#waiting > 0 && batch.some(({ seq }) => settled.has(seq));
  }

  async #settle(seqs) {
    await this.#write(() => this.#store.settle(this.#record.key, seqs), { isCounted: true });
  }

  async #finish() {
    const { recordingId, finish } = this.#record;
    const course = await this.#client.call('finishRecording', { recordingId, ...finish });
    await this.#over();
    this.#end.resolve(course);
    this.dispatchEvent(new CustomEvent('finished', { detail: course }));
  }

  async #failed(error) {
    if (!error.code) throw error;
    if (isCut(error)) return;
    if (error.code === 'recording.closed') {
      // The server has made the course meanwhile: it accepts no more points, and returns the course.
      await this.#settle((await this.#store.points(this.#record.key)).map(({ seq }) => seq));
      await this.#finish().catch((problem) => this.#failed(problem));
    } else if (error.code === 'recording.not-found') {
      await this.#over();
      this.#end.reject(error);
      this.dispatchEvent(new CustomEvent('lost', { detail: error }));
    } else if (error.retry === 'LATER') this.#schedule(error.retryAfterMs || AGAIN_MS);
    else if (this.state === 'finishing') await this.#refused(error);
    else this.dispatchEvent(new CustomEvent('refused', { detail: error }));
  }

  async #refused(error) {
    const end = this.#end;
    this.#end = outcome();
    await this.#change({ state: 'paused', finish: null });
    end.reject(error);
  }
}

const unlessGone = (error) => {
  if (error.code !== 'recording.not-found' && error.code !== 'recording.closed') throw error;
};

function outcome() {
  let [resolve, reject] = [null, null];
  const promise = new Promise((...both) => ([resolve, reject] = both));
  // Pages that do not await the result receive the events.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

/** Reserves a name for this tab, if the browser has locks. @returns {Promise<() => Promise<void>>} releases it */
function hold(name) {
  const locks = globalThis.navigator?.locks;
  if (!locks) return Promise.resolve(() => Promise.resolve());
  return new Promise((resolve, reject) => {
    const keep = (lock) => {
      if (!lock) return reject(new PromisedError('client.busy', { retry: 'LATER' }));
      return new Promise((letGo) => resolve(() => {
        letGo();
        return held;
      }));
    };
    const held = locks.request(name, { ifAvailable: true }, keep);
    held.catch(reject);
  });
}
