/** The server's limit of stored notifications per user. */
const MOST_UNREAD = 200;

/**
 * The notifications that the server announces, as an async iterable for one reader; the newest 200 wait to be read.
 *
 * ```js
 * for await (const notification of client.notifications()) show(notification);
 * ```
 */
export class Notifications {
  #unread = [];
  #reader = null;
  #isOver = false;
  #onEnd;

  /** @param {() => void} onEnd the reader has stopped */
  constructor(onEnd) {
    this.#onEnd = onEnd;
  }

  /** Processes an event of the server; ignores other kinds. */
  take(event) {
    const notification = event.notification?.notification;
    if (!notification || this.#isOver) return;
    if (this.#reader) {
      this.#reader({ value: notification, done: false });
      this.#reader = null;
      return;
    }
    this.#unread.push(notification);
    if (this.#unread.length > MOST_UNREAD) this.#unread.shift();
  }

  /** The next notification, as soon as it arrives. */
  async next() {
    if (this.#isOver) return { value: undefined, done: true };
    if (this.#unread.length > 0) return { value: this.#unread.shift(), done: false };
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  /** Stops reading; called by `for await` when its loop is left. */
  async return() {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#reader?.({ value: undefined, done: true });
      this.#unread = [];
      this.#onEnd();
    }
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}
