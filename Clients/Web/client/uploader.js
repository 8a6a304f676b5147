import { digest, toBase64 } from './bytes.js';
import { randomName } from './credentials.js';
import { Lane } from './lane.js';
import { overCuts, patiently } from './patience.js';

/** The most bytes of a chunk: in Base64 they fit into a frame. */
const CHUNK = 45_000;

/**
 * Uploads files in chunks, one after the other, with at most one chunk unanswered, so that positions are not delayed.
 *
 * ```
 *          beginUpload          putChunk, until all bytes are there
 * (blob) ──────────────▶ open ─────────────────────────────────────▶ a file
 *             ▲           │ cut connection: begun again, goes on at the offset that the server names
 *             └───────────┘ file.mismatch: starts over, once
 * ```
 */
export class Uploader {
  #client;
  #lane = new Lane(1);

  /** @param {PromisedClient} client */
  constructor(client) {
    this.#client = client;
  }

  /**
   * Uploads a blob, over any number of connections.
   * @param {Blob} blob
   * @param {object} options
   * @param {'PHOTO'|'TRACK'|'PICTURE'} options.kind
   * @param {string} [options.key] the same key within an hour resumes the upload; default: a new one
   * @param {(sent: number, all: number) => void} [options.onProgress] bytes that the server has
   * @param {AbortSignal} [options.signal] cancels it
   * @returns {Promise<object>} the `StoredFile`
   * @throws {PromisedError} `file.too-large`, `file.unsupported`, `file.quota` …
   */
  upload(blob, { kind, key = randomName(), onProgress = () => {}, signal }) {
    return this.#lane.run(async () => {
      const announcement = { key, kind, bytes: blob.size, sha256: await digest(blob) };
      // Only a cut connection begins it again; a refusal repeats the same request, or it would never progress.
      const attempt = () => overCuts(this.#client, () => this.#attempt(announcement, blob, onProgress, signal), signal);
      try {
        return await attempt();
      } catch (error) {
        if (error.code !== 'file.mismatch') throw error;
        return attempt();
      }
    });
  }

  async #attempt(announcement, blob, onProgress, signal) {
    const ask = (name, fields) => patiently(() => this.#client.call(name, fields), signal);
    let upload = await ask('beginUpload', announcement);
    for (;;) {
      onProgress(upload.file ? blob.size : upload.offset ?? 0, blob.size);
      if (upload.file) return upload.file;
      signal?.throwIfAborted();
      const { uploadId, offset = 0, chunkBytes = CHUNK } = upload;
      const chunk = await blob.slice(offset, offset + Math.min(CHUNK, chunkBytes)).arrayBuffer();
      upload = await ask('putChunk', { uploadId, offset, data: toBase64(new Uint8Array(chunk)) });
    }
  }
}
