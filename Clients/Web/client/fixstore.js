/** The number of newest fixes that survive a reload: some forty minutes at one every five seconds, in some 75 KB. */
const KEPT = 500;

/**
 * The pending fixes of one promise, stored for this tab across a reload.
 *
 * A reloaded page is a new boot of its device: its monotonic clock and its numbers restart. So the fixes are stored
 * with the server's time, by which they are dated afterwards, and without their old clock and number.
 */
export class FixStore {
  #storage;
  #key;

  /**
   * @param {Storage|null} storage usually `sessionStorage`; null stores nothing
   * @param {string} promiseId
   */
  constructor(storage, promiseId) {
    this.#storage = storage;
    this.#key = 'promised.fixes.' + promiseId;
  }

  /** The fixes that the previous page could not send, in the order of their recording. */
  read() {
    try {
      const fixes = JSON.parse(this.#storage?.getItem(this.#key) ?? '[]');
      return Array.isArray(fixes) ? fixes.slice(-KEPT) : [];
    } catch {
      // Disabled, or not written by this page: there is nothing to send.
      return [];
    }
  }

  /** Replaces the stored fixes. */
  write(fixes) {
    try {
      if (fixes.length === 0) this.#storage?.removeItem(this.#key);
      else this.#storage?.setItem(this.#key, JSON.stringify(fixes.slice(-KEPT).map(withoutBoot)));
    } catch {
      // Full or disabled: the fixes then end with the page.
    }
  }
}

const withoutBoot = ({ seq, uptimeMs, ...fix }) => fix;
