import { Latest } from './latest.js';

/**
 * Keeps the places of a map up to date while the user moves it: asks once for each pause of the map, and drops replies
 * that come after the map has moved on.
 */
export class Viewport {
  #latest;

  /**
   * @param {(fields: object) => Promise<object>} ask sends a `viewPlaces` request
   * @param {object} listener
   * @param {(view: object, fields: object) => void} listener.onView the places for a request
   * @param {(error: PromisedError, fields: object) => void} [listener.onError] the request failed; the next movement asks
   *   again, and the viewport itself if the server says when
   * @param {object} [options] of {@link Latest}: how long the map rests before it is asked for, and timers for tests
   */
  constructor(ask, listener, options) {
    const onError = (error, fields) => listener.onError?.(error, fields);
    this.#latest = new Latest(ask, { onReply: (view, fields) => listener.onView(view, fields), onError }, options);
  }

  /**
   * The map shows another part, or other places, from now on.
   * @param {{box: object, zoom: number, filter?: object, limit?: number}} fields of `viewPlaces`
   */
  show(fields) {
    this.#latest.want(fields);
  }

  /** Nothing is asked and told any more, until the next {@link show}. */
  stop() {
    this.#latest.stop();
  }
}
