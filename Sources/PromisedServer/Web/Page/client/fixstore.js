/** The newest fixes kept over a reload: some forty minutes at one every five seconds, in some 75 KB. */
const KEPT = 500;

/**
 * The fixes of one promise that wait, kept for this tab over a reload.
 *
 * A page that is loaded anew is a new boot of its device: its monotonic clock and its numbers start over. So the fixes
 * are kept with the server's time, by which they are dated afterwards, and without clock and number of before.
 */
export class FixStore {
  #storage;
  #key;

  /**
   * @param {Storage|null} storage usually `sessionStorage`; null keeps nothing
   * @param {string} promiseId
   */
  constructor(storage, promiseId) {
    this.#storage = storage;
    this.#key = 'promised.fixes.' + promiseId;
  }

  /** The fixes that the page before this one could not send, in the order in which it recorded them. */
  read() {
    try {
      const fixes = JSON.parse(this.#storage?.getItem(this.#key) ?? '[]');
      return Array.isArray(fixes) ? fixes.slice(-KEPT) : [];
    } catch {
      // Switched off, or not ours: there is nothing to send.
      return [];
    }
  }

  /** Keeps these fixes in place of those before. */
  write(fixes) {
    try {
      if (fixes.length === 0) this.#storage?.removeItem(this.#key);
      else this.#storage?.setItem(this.#key, JSON.stringify(fixes.slice(-KEPT).map(withoutBoot)));
    } catch {
      // Full or switched off: the fixes then end with the page.
    }
  }
}

const withoutBoot = ({ seq, uptimeMs, ...fix }) => fix;
