/**
 * The server's clock as this client knows it: what it showed, and how fast it runs.
 *
 * The rate is 1 in production; a development server may run faster. It is measured from exchanges at least half a
 * second apart, and a rate within one percent of a whole number is taken for that number.
 */
export class ServerClock {
  #first = null;
  #best = null;
  #rate = 1;
  #monotonic;

  /** @param {() => number} [monotonic] a clock in milliseconds that never jumps */
  constructor(monotonic = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  /** Whether the rate has been measured, so that {@link now} can be trusted. */
  get isKnown() {
    return this.#best !== null;
  }

  /** How many of the server's seconds pass in a real one. */
  get rate() {
    return this.#rate;
  }

  /** The server's time now, in milliseconds since 1970; this machine's before anything is known. */
  now() {
    const known = this.#best ?? this.#first;
    if (!known) return Date.now();
    return known.shown + (this.#monotonic() - known.at) * this.#rate;
  }

  /** A span of the server's clock as real time, both in milliseconds. */
  real(span) {
    return span / this.#rate;
  }

  /** This machine's monotonic clock, run at the server's rate: what `uptimeMs` of fixes and reports says. */
  uptime() {
    return this.#monotonic() * this.#rate;
  }

  /**
   * Takes in one exchange.
   * @param {number} sent when it was asked, on the monotonic clock
   * @param {number} answered when the reply was there
   * @param {number} shown what the server showed half-way, in milliseconds since 1970
   */
  add(sent, answered, shown) {
    const exchange = { at: (sent + answered) / 2, length: answered - sent, shown };
    if (!this.#first) {
      this.#first = exchange;
      return;
    }
    const span = exchange.at - this.#first.at;
    if (span < 500) {
      if (exchange.length < this.#first.length) this.#first = exchange;
      return;
    }
    const measured = (exchange.shown - this.#first.shown) / span;
    const whole = Math.max(1, Math.round(measured));
    this.#rate = Math.abs(measured - whole) <= 0.01 * whole ? whole : Math.max(measured, 0.001);
    // A newer exchange wins unless it was much slower: clocks drift, and slow exchanges say little.
    if (!this.#best || exchange.length <= 2 * this.#best.length || exchange.at - this.#best.at > 120_000) {
      this.#best = exchange;
    }
  }

  /** Starts over, the rate kept until it is measured anew: the server may have been started again. */
  reset() {
    this.#first = null;
    this.#best = null;
  }
}

/** Asks the server what its clock shows. */
export async function exchange(connection, clock) {
  const sent = performance.now();
  const reply = await connection.ask('syncClock', clock.isKnown ? { uptimeMs: clock.uptime() } : {});
  const shown = (Date.parse(reply.receivedAt) + Date.parse(reply.sentAt)) / 2;
  clock.add(sent, performance.now(), shown);
}

/** Learns the server's clock on a new connection: now, and again until its rate is known. */
export async function synchronise(connection, clock) {
  clock.reset();
  for (const wait of [0, 100, 600, 1500]) {
    if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
    if (connection.isOver) return;
    await exchange(connection, clock);
  }
}
