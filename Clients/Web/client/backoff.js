/** The wait before each attempt to connect: doubling from half a second to half a minute, with jitter. */
export class Backoff {
  #attempts = 0;
  #random;

  /** @param {() => number} [random] from 0 to below 1 */
  constructor(random = Math.random) {
    this.#random = random;
  }

  /** The wait before the next attempt, in milliseconds: between half of the step and all of it. */
  next() {
    const step = Math.min(30_000, 500 * 2 ** Math.min(this.#attempts, 10));
    this.#attempts += 1;
    return step / 2 + (step / 2) * this.#random();
  }

  /** Resets the wait after a stable connection. */
  reset() {
    this.#attempts = 0;
  }
}
