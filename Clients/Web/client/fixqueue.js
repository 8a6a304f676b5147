/** The fixes that the server has not settled yet: bounded, the oldest dropped first. */
export class FixQueue {
  #fixes = [];
  #limit;

  /** @param {number} [limit] the most fixes: 2,000 are close to three hours at one every five seconds */
  constructor(limit = 2000) {
    this.#limit = limit;
  }

  get count() {
    return this.#fixes.length;
  }

  /** Adds the newest fix. */
  add(fix) {
    this.#fixes.push(fix);
    if (this.#fixes.length > this.#limit) this.#fixes.shift();
  }

  /** The next report: the newest 200, in rising order of `seq`. */
  batch() {
    return this.#fixes.slice(-200);
  }

  /** All fixes, the oldest first. */
  get all() {
    return this.#fixes;
  }

  /** Removes fixes that the server has accepted or refused. */
  settle(seqs) {
    const settled = new Set(seqs);
    this.#fixes = this.#fixes.filter((fix) => !settled.has(fix.seq));
  }

  clear() {
    this.#fixes = [];
  }
}
