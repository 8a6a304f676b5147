import { Latest } from './latest.js';

/**
 * Keeps the places of a map up to date while the user moves it: sends one request for each pause of the map, and drops
 * replies that arrive after a further movement.
 */
export class Viewport {
  #latest;

  /**
   * @param {(fields: object) => Promise<object>} ask sends a `viewPlaces` request
   * @param {object} listener
   * @param {(view: object, fields: object) => void} listener.onView the places for a request
   * @param {(error: PromisedError, fields: object) => void} [listener.onError] the request failed; the next movement
   *   asks again, and the viewport itself if the server names a retry time
   * @param {object} [options] of {@link Latest}: the pause before a request, and timers for tests
   */
  constructor(ask, listener, options) {
    const onError = (error, fields) => listener.onError?.(error, fields);
    this.#latest = new Latest(ask, { onReply: (view, fields) => listener.onView(view, fields), onError }, options);
  }

  /**
   * Sets the visible part and the wanted places.
   * @param {{box: object, zoom: number, filter?: object, limit?: number}} fields of `viewPlaces`
   */
  show(fields) {
    this.#latest.want(fields);
  }

  /** Stops requests and calls of the listener, until the next {@link show}. */
  stop() {
    this.#latest.stop();
  }
}
