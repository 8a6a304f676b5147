import { metresBetween } from './courses.js';
import { canLocate } from './locator.js';
import { CourseRecorder } from './promised.js';

/** Positions with a larger error are not recorded: the server would drop them. */
const MOST_ERROR_METRES = 100;
/** The map and the distance use a point only at this distance from the previous one, in metres. */
const STEP_METRES = 5;

/**
 * The recording of this tab: the browser's receiver and the recorder, independent of the view. Events: `change`,
 * `finished` (detail: the course), `refused` and `lost` (detail: the server's error; after `lost` it is over),
 * `trouble` (detail: a `PresenceCause`, or `DISK`).
 */
export class Recording extends EventTarget {
  #client;
  #recorder = null;
  #watch = null;
  #trouble = null;
  #lines = [];
  #metres = 0;

  /** @param {PromisedClient} client */
  constructor(client) {
    super();
    this.#client = client;
    client.addEventListener('state', ({ detail }) => {
      if (detail === 'online') this.#finishOthers();
      if (detail === 'signed-out') this.#leave();
    });
    // A watch stops for good when the permission is withdrawn: a new one starts when it is back.
    navigator.permissions?.query({ name: 'geolocation' }).then((permission) => permission.addEventListener('change', () => {
      if (permission.state === 'granted' && this.state === 'recording' && this.#trouble) this.#begin();
    })).catch(() => undefined);
  }

  /** The reason for missing positions while recording, a `PresenceCause`; null while they arrive. */
  get trouble() {
    return this.state === 'recording' ? this.#trouble : null;
  }

  /** `none`, `recording`, `paused` or `finishing`. */
  get state() {
    return this.#recorder?.state ?? 'none';
  }

  /** The recorder; null while not recording. */
  get recorder() {
    return this.#recorder;
  }

  /** The recorded length since the page was loaded. */
  get metres() {
    return this.#metres;
  }

  /** The recorded lines for the map, one for each segment. */
  get lines() {
    return this.#lines;
  }

  /** Begins a recording. @param {{activity: string, title?: string}} fields */
  async start(fields) {
    this.#take(await this.#client.recordCourse(fields));
  }

  /** This browser's unfinished recordings that are open in no tab. */
  async unfinished() {
    const all = await CourseRecorder.unfinished(this.#client);
    return all.filter(({ key, state }) => key !== this.#recorder?.about.key && state !== 'finishing');
  }

  /** Continues an unfinished recording. */
  async goOn(record) {
    const recorder = await CourseRecorder.resume(this.#client, record);
    // After any time, the way in between was not recorded.
    await recorder.pause();
    await recorder.unpause();
    this.#take(recorder);
  }

  async pause() {
    this.#stop();
    await this.#recorder.pause();
  }

  async unpause() {
    await this.#recorder.unpause();
    this.#begin();
  }

  /** @returns {Promise<object>} the course, once the server has made it */
  finish(fields) {
    this.#stop();
    return this.#recorder.finish(fields);
  }

  async discard() {
    await this.#recorder.discard();
    this.#end();
  }

  // Recorder

  #take(recorder) {
    this.#recorder = recorder;
    [this.#lines, this.#metres] = [[], 0];
    recorder.addEventListener('change', () => this.#tell());
    recorder.addEventListener('finished', ({ detail }) => {
      this.#end();
      this.dispatchEvent(new CustomEvent('finished', { detail }));
    });
    recorder.addEventListener('refused', ({ detail }) => this.dispatchEvent(new CustomEvent('refused', { detail })));
    recorder.addEventListener('lost', ({ detail }) => {
      this.#end();
      this.dispatchEvent(new CustomEvent('lost', { detail }));
    });
    this.#begin();
  }

  /** Makes courses of recordings that were finished without a connection. */
  async #finishOthers() {
    const all = await CourseRecorder.unfinished(this.#client);
    for (const record of all.filter(({ key, state }) => state === 'finishing' && key !== this.#recorder?.about.key)) {
      const recorder = await CourseRecorder.resume(this.#client, record).catch(() => null);
      recorder?.addEventListener('finished', ({ detail }) => this.dispatchEvent(new CustomEvent('finished', { detail })));
    }
  }

  #leave() {
    this.#recorder?.close();
    this.#end();
  }

  #end() {
    this.#stop();
    this.#recorder = null;
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }

  // Receiver

  #begin() {
    this.#stop();
    if (!canLocate()) return;
    this.#lines.push([]);
    this.#watch = navigator.geolocation.watchPosition((position) => this.#found(position),
      ({ code }) => this.#failed(code === 1 ? 'PERMISSION' : 'NO_FIX'), { enableHighAccuracy: true, maximumAge: 0 });
    this.#tell();
  }

  #failed(trouble) {
    const isNew = trouble !== this.#trouble;
    this.#trouble = trouble;
    this.dispatchEvent(new CustomEvent('trouble', { detail: trouble }));
    if (isNew) this.#tell();
  }

  #stop() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
    this.#trouble = null;
  }

  /** The browser has just delivered a position; its own time of it may be the receiver's, and weeks off. */
  #found({ coords }) {
    if (this.#trouble) {
      this.#trouble = null;
      // The way between was not recorded.
      this.#lines.push([]);
      this.#tell();
    }
    if (this.state !== 'recording' || coords.accuracy > MOST_ERROR_METRES) return;
    const known = (value) => (Number.isFinite(value) ? value : undefined);
    const { latitude, longitude, accuracy } = coords;
    this.#recorder.add({
      latitude, longitude, accuracyMetres: known(accuracy), altitudeMetres: known(coords.altitude), speedMps: known(coords.speed),
    }).catch(() => this.dispatchEvent(new CustomEvent('trouble', { detail: 'DISK' })));
    const line = this.#lines.at(-1);
    const step = line.length > 0 ? metresBetween(line.at(-1), [latitude, longitude]) : 0;
    if (line.length > 0 && step < Math.max(STEP_METRES, 2 * accuracy)) return;
    line.push([latitude, longitude]);
    this.#metres += step;
  }
}
