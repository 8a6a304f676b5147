/** The name of the browser's store, and the most files in it. */
const NAME = 'promised-files';
const MOST = 300;

/**
 * Pictures that this browser has read, kept for the next time: files never change. The server is asked for one byte
 * before a kept one is shown, so that a picture that the user may no longer see is deleted instead.
 */
export class KeptFiles {
  #client;
  #storage;

  /**
   * @param {PromisedClient} client
   * @param {CacheStorage|null} [storage] missing on pages without TLS: then nothing is kept
   */
  constructor(client, storage = globalThis.caches ?? null) {
    this.#client = client;
    this.#storage = storage;
  }

  /** Reads a file. @param {string} fileId @param {AbortSignal} [signal] @returns {Promise<Blob>} */
  async read(fileId, signal) {
    const store = await this.#open();
    const kept = await store?.match(address(fileId));
    if (!kept) return this.#readAndKeep(store, fileId, signal);
    // Without a connection nothing else could be shown.
    if (this.#client.state === 'online') await this.#check(store, fileId, signal);
    return kept.blob();
  }

  /** Deletes all of them: they were read for the previous user. */
  async forget() {
    await this.#storage?.delete(NAME).catch(() => undefined);
  }

  async #check(store, fileId, signal) {
    try {
      await this.#client.checkFile(fileId, { signal });
    } catch (error) {
      if (error.code === 'file.not-found') await store.delete(address(fileId));
      throw error;
    }
  }

  async #readAndKeep(store, fileId, signal) {
    const blob = await this.#client.readFile(fileId, { signal });
    try {
      await store?.put(address(fileId), new Response(blob));
      const all = (await store?.keys()) ?? [];
      // The oldest come first.
      for (const oldest of all.slice(0, Math.max(0, all.length - MOST))) await store.delete(oldest);
    } catch {
      // The disk is full: the next time it is read again.
    }
    return blob;
  }

  async #open() {
    // A browser may deny its store to a private window.
    return this.#storage?.open(NAME).catch(() => null);
  }
}

/** The key of a file in the store, an address that is never asked for. */
const address = (fileId) => `/kept/${encodeURIComponent(fileId)}`;
