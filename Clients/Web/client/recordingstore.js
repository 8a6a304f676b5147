import { needed } from './errors.js';

/** The most pending points of a recording: two days at one a second take some 30 MB. */
const MOST_POINTS = 172_800;
const NAME = 'promised.recordings';

/**
 * Unfinished recordings and their pending points, in IndexedDB: they survive a reload and a crash. When a recording or
 * the disk is full, the oldest points are dropped for the newest.
 */
export class RecordingStore {
  #database;
  #mostPoints;

  /**
   * @param {object} [options]
   * @param {string} [options.name] the database
   * @param {number} [options.mostPoints] of a recording
   */
  constructor({ name = NAME, mostPoints = MOST_POINTS } = {}) {
    this.#mostPoints = mostPoints;
    this.#database = open(name);
    // The first call reports the failure.
    this.#database.catch(() => undefined);
  }

  /** The recordings of a user, the oldest first. */
  async list(userId) {
    const all = await this.#run(['recordings'], 'readonly', (recordings) => recordings.getAll());
    return all.filter((one) => one.userId === userId).sort((one, other) => one.startedAt - other.startedAt);
  }

  /** Stores a recording under its `key`. */
  async keep(recording) {
    await this.#run(['recordings'], 'readwrite', (recordings) => recordings.put(recording));
  }

  /** Removes a recording with its points. */
  async remove(key) {
    await this.#run(['recordings', 'points'], 'readwrite', (recordings, points) => {
      points.delete(range(key));
      return recordings.delete(key);
    });
  }

  /** Adds a point with its `seq`, together with the recording and its counters. */
  async add(recording, point) {
    const add = () => this.#run(['recordings', 'points'], 'readwrite', (recordings, points) => {
      recordings.put(recording);
      points.put({ key: recording.key, ...point });
      return points.count(range(recording.key));
    });
    let count;
    try {
      count = await add();
    } catch (error) {
      if (error?.name !== 'QuotaExceededError') throw error;
      await this.#drop(recording.key, Math.ceil(this.#mostPoints / 100));
      count = await add();
    }
    if (count > this.#mostPoints) await this.#drop(recording.key, count - this.#mostPoints);
  }

  /** The oldest points of a recording. */
  async points(key, count) {
    return this.#run(['points'], 'readonly', (points) => points.getAll(range(key), count));
  }

  /** The number of points of a recording. */
  async count(key) {
    return this.#run(['points'], 'readonly', (points) => points.count(range(key)));
  }

  /** Removes points that the server has settled. */
  async settle(key, seqs) {
    await this.#run(['points'], 'readwrite', (points) => {
      let last = null;
      for (const seq of seqs) last = points.delete([key, seq]);
      return last;
    });
  }

  async #drop(key, count) {
    const oldest = await this.points(key, count);
    await this.settle(key, oldest.map(({ seq }) => seq));
  }

  /** Runs one transaction. @returns the result of the request that `work` returns */
  async #run(stores, mode, work) {
    const database = await this.#database;
    return new Promise((resolve, reject) => {
      const transaction = database.transaction(stores, mode, { durability: 'strict' });
      const request = work(...stores.map((name) => transaction.objectStore(name)));
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
  }
}

const range = (key) => IDBKeyRange.bound([key, 0], [key, Infinity]);

function open(name) {
  return new Promise((resolve, reject) => {
    const request = needed('indexedDB', 'a `store` of your own').open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('recordings', { keyPath: 'key' });
      request.result.createObjectStore('points', { keyPath: ['key', 'seq'] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
