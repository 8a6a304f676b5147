/**
 * One promise, followed over connections: a snapshot first, then every event exactly once.
 *
 * ```
 * start ─▶ subscribing ─▶ following ──(connection ends, or a number is missing)──▶ subscribing with epoch and number
 *                │                                                                        │
 *                └──────────── refused for good ─▶ ended ◀────────────────────────────────┘
 * ```
 */
export class Feed {
  #subscribe;
  #listener;
  #epoch = null;
  #seq = 0;
  #isFollowing = false;
  #isBusy = false;
  #isEnded = false;
  #retry = null;

  /**
   * @param {string} promiseId
   * @param {(fields: object) => Promise<object>} subscribe sends a `subscribe` request
   * @param {FeedListener} listener
   *
   * @typedef {object} FeedListener
   * @property {(promise: object, epoch: string) => void} onSnapshot the complete state, which replaces all earlier data
   * @property {() => void} [onResume] the missed events have been delivered, without transient ones: request positions,
   *   sharing and status again
   * @property {(event: object) => void} onEvent an event of the promise, with `seq` if it is durable
   * @property {(error: PromisedError) => void} [onEnd] the promise can no longer be followed; the last call
   * @property {(nextReportMs: number) => void} [onSlot] from now to the next report, 0 for none
   */
  constructor(promiseId, subscribe, listener) {
    this.promiseId = promiseId;
    this.#subscribe = subscribe;
    this.#listener = listener;
  }

  /** `true` if the listener is up to date. */
  get isFollowing() {
    return this.#isFollowing;
  }

  /** Subscribes on the current connection; called again for each new one. */
  async resume() {
    if (this.#isEnded || this.#isBusy) return;
    clearTimeout(this.#retry);
    this.#isBusy = true;
    try {
      const point = this.#epoch === null ? {} : { epoch: this.#epoch, lastSeq: this.#seq };
      this.#accept(await this.#subscribe({ promiseId: this.promiseId, ...point }));
    } catch (error) {
      this.#refused(error);
    } finally {
      this.#isBusy = false;
    }
  }

  /** Pauses after the end of the connection; {@link resume} follows on the next one. */
  pause() {
    clearTimeout(this.#retry);
    this.#isFollowing = false;
  }

  /** Ends the feed and all calls of the listener. */
  stop() {
    this.pause();
    this.#isEnded = true;
  }

  /** Processes an event of this promise. */
  take(event) {
    // Before the subscription's reply there is no state for an event; the reply includes it.
    if (this.#isEnded || !this.#isFollowing) return;
    if (event.seq) {
      if (event.seq <= this.#seq) return;
      if (event.seq > this.#seq + 1) {
        this.#isFollowing = false;
        this.resume();
        return;
      }
      this.#seq = event.seq;
    }
    this.#listener.onEvent(event);
  }

  #accept(reply) {
    if (this.#isEnded) return;
    if (reply.snapshot) {
      this.#seq = reply.seq ?? 0;
      this.#isFollowing = true;
      this.#listener.onSnapshot(reply.snapshot, reply.epoch);
    } else {
      this.#isFollowing = true;
      for (const event of reply.missed ?? []) this.take(event);
      this.#seq = reply.seq ?? this.#seq;
      this.#listener.onResume?.();
    }
    this.#epoch = reply.epoch ?? null;
    this.#listener.onSlot?.(reply.nextReportMs ?? 0);
  }

  #refused(error) {
    if (this.#isEnded || error.code?.startsWith('client.')) return;
    if (error.retry === 'LATER') {
      this.#retry = setTimeout(() => this.resume(), Math.max(1000, error.retryAfterMs));
      return;
    }
    this.#isEnded = true;
    this.#listener.onEnd?.(error);
  }
}
