/**
 * Requests for rapidly changing input, such as the visible part of a map or a typed text: sends one request after each
 * pause and drops replies to superseded requests.
 *
 * ```
 * idle ──want──▶ pausing ──pause is over──▶ asking ──reply──▶ idle
 *                  ▲  │ want: pauses anew     │ want or stop: its reply is dropped
 *                  └──┘◀──────────────────────┘
 * ```
 */
export class Latest {
  #ask;
  #listener;
  #pauseMs;
  #timers;
  #timer = null;
  /** Counts the requests; a reply counts only for the latest one. */
  #turn = 0;

  /**
   * @param {(fields: object) => Promise<object>} ask sends the request
   * @param {object} listener
   * @param {(reply: object, fields: object) => void} listener.onReply the reply to the latest request
   * @param {(error: PromisedError, fields: object) => void} [listener.onError] its failure. If the server names a retry
   *   time, the request is repeated then
   * @param {object} [options]
   * @param {number} [options.pauseMs] the pause, in milliseconds
   * @param {{set: (body: () => void, ms: number) => any, clear: (timer: any) => void}} [options.timers] a seam for
   *   tests
   */
  constructor(ask, listener, options = {}) {
    this.#ask = ask;
    this.#listener = listener;
    this.#pauseMs = options.pauseMs ?? 200;
    this.#timers = options.timers ?? { set: (body, ms) => setTimeout(body, ms), clear: (timer) => clearTimeout(timer) };
  }

  /** Sends the request after a pause; supersedes an earlier one. */
  want(fields) {
    this.#schedule(fields, this.#pauseMs);
  }

  /** Sends the request at once; supersedes an earlier one. */
  wantNow(fields) {
    this.stop();
    this.#send(fields);
  }

  /** Drops the request and its reply. */
  stop() {
    this.#turn += 1;
    this.#timers.clear(this.#timer);
    this.#timer = null;
  }

  #schedule(fields, ms) {
    this.stop();
    this.#timer = this.#timers.set(() => this.#send(fields), ms);
  }

  async #send(fields) {
    const turn = this.#turn;
    let reply;
    try {
      reply = await this.#ask(fields);
    } catch (error) {
      if (turn === this.#turn) this.#failed(error, fields);
      return;
    }
    if (turn === this.#turn) this.#listener.onReply(reply, fields);
  }

  #failed(error, fields) {
    const turn = this.#turn;
    this.#listener.onError?.(error, fields);
    // The listener may have made another request by now.
    if (turn === this.#turn && error.retry === 'LATER' && error.retryAfterMs > 0) this.#schedule(fields, error.retryAfterMs);
  }
}
