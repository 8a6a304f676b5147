import { fromBase64 } from './bytes.js';
import { PromisedError } from './errors.js';
import { Lane } from './lane.js';
import { insist } from './patience.js';

/** The most unanswered reads that the server accepts on a connection. */
const MOST_READS = 2;

/** Reads files of the server in pieces, two files at a time. */
export class Downloader {
  #client;
  #lane = new Lane(MOST_READS);

  /** @param {PromisedClient} client */
  constructor(client) {
    this.#client = client;
  }

  /** Checks, by one byte, that the user may still read a file. @throws {PromisedError} `file.not-found` */
  check(fileId, { signal } = {}) {
    return this.#lane.run(() => insist(this.#client, () => this.#client.call('readFile', { fileId, limit: 1 }), signal));
  }

  /**
   * Reads a whole file, over any number of connections.
   * @param {string} fileId
   * @param {object} [options]
   * @param {(read: number, all: number) => void} [options.onProgress] in bytes
   * @param {AbortSignal} [options.signal] cancels it
   * @returns {Promise<Blob>} with the file's media type
   * @throws {PromisedError} `file.not-found`
   */
  read(fileId, { onProgress = () => {}, signal } = {}) {
    return this.#lane.run(async () => {
      const pieces = [];
      let [offset, all, type] = [0, 0, ''];
      do {
        const ask = () => this.#client.call('readFile', { fileId, offset });
        const { data = '', bytes = 0, contentType = '' } = await insist(this.#client, ask, signal);
        const piece = fromBase64(data);
        // A file that ends before its size would be requested forever.
        if (piece.length === 0 && offset < bytes) throw new PromisedError('file.not-found');
        pieces.push(piece);
        offset += piece.length;
        [all, type] = [bytes, contentType];
        onProgress(offset, all);
      } while (offset < all);
      return new Blob(pieces, { type });
    });
  }
}
