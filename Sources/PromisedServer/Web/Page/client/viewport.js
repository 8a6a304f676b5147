/**
 * Keeps the places of a map up to date while the user moves it: asks once for each pause of the map, and drops replies
 * that come after the map has moved on.
 */
export class Viewport {
  #ask;
  #listener;
  #pauseMs;
  #timers;
  #timer = null;
  /** Counts the movements; a reply counts only if the map has not moved since its request. */
  #movement = 0;

  /**
   * @param {(fields: object) => Promise<object>} ask sends a `viewPlaces` request
   * @param {object} listener
   * @param {(view: object, fields: object) => void} listener.onView the places for a request
   * @param {(error: PromisedError, fields: object) => void} [listener.onError] the request failed; the next movement asks
   *   again
   * @param {object} [options]
   * @param {number} [options.pauseMs] how long the map rests before it is asked for
   * @param {{set: (body: () => void, ms: number) => any, clear: (timer: any) => void}} [options.timers] a seam for tests
   */
  constructor(ask, listener, options = {}) {
    this.#ask = ask;
    this.#listener = listener;
    this.#pauseMs = options.pauseMs ?? 200;
    this.#timers = options.timers ?? { set: (body, ms) => setTimeout(body, ms), clear: (timer) => clearTimeout(timer) };
  }

  /**
   * The map shows another part, or other places, from now on.
   * @param {{box: object, zoom: number, filter?: object, limit?: number}} fields of `viewPlaces`
   */
  show(fields) {
    this.stop();
    this.#timer = this.#timers.set(() => this.#request(fields), this.#pauseMs);
  }

  /** Nothing is asked and told any more, until the next {@link show}. */
  stop() {
    this.#movement += 1;
    this.#timers.clear(this.#timer);
    this.#timer = null;
  }

  async #request(fields) {
    const movement = this.#movement;
    try {
      const view = await this.#ask(fields);
      if (movement === this.#movement) this.#listener.onView(view, fields);
    } catch (error) {
      if (movement === this.#movement) this.#listener.onError?.(error, fields);
    }
  }
}
