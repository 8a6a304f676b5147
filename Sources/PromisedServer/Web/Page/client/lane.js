/** Runs work in the order in which it comes, a limited number at a time. */
export class Lane {
  #free;
  #waiting = [];

  /** @param {number} width how many run at a time */
  constructor(width) {
    this.#free = width;
  }

  /** Runs `work` when its turn comes. @returns {Promise} its outcome */
  async run(work) {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes on to the next one without becoming free.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
