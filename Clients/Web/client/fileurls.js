/**
 * `blob:` URLs of files, for pictures and downloads. Holders of the same file share its URL; the last release frees the
 * memory.
 */
export class FileURLs {
  #read;
  #held = new Map();

  /** @param {(fileId: string, signal: AbortSignal) => Promise<Blob>} read */
  constructor(read) {
    this.#read = read;
  }

  /** The number of files in use. */
  get count() {
    return this.#held.size;
  }

  /**
   * Holds a file.
   * @param {string} fileId
   * @returns {{url: Promise<string>, release: () => void}} a failed reading rejects `url`, and the next holder tries again
   */
  hold(fileId) {
    const file = this.#held.get(fileId) ?? this.#begin(fileId);
    file.holders += 1;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      file.holders -= 1;
      if (file.holders === 0) this.#end(fileId, file);
    };
    return { url: file.url, release };
  }

  #begin(fileId) {
    const stop = new AbortController();
    const file = { holders: 0, stop, made: null, url: null };
    file.url = this.#read(fileId, stop.signal).then((blob) => {
      stop.signal.throwIfAborted();
      file.made = URL.createObjectURL(blob);
      return file.made;
    });
    // Holders receive the rejection; without holders it is ignored.
    file.url.catch(() => this.#forget(fileId, file));
    this.#held.set(fileId, file);
    return file;
  }

  #end(fileId, file) {
    file.stop.abort();
    if (file.made) URL.revokeObjectURL(file.made);
    this.#forget(fileId, file);
  }

  #forget(fileId, file) {
    if (this.#held.get(fileId) === file) this.#held.delete(fileId);
  }
}
