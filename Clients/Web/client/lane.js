/** Runs work in FIFO order, a limited number at a time. */
export class Lane {
  #free;
  #waiting = [];

  /** @param {number} width the most concurrent runs */
  constructor(width) {
    this.#free = width;
  }

  /** Queues `work` and runs it. @returns {Promise} its outcome */
  async run(work) {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The next work inherits the slot directly.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
