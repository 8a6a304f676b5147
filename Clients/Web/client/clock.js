/**
 * The server's clock as estimated by this client: its time and its rate.
 *
 * The rate is 1 in production; a development server may run faster. It is measured by exchanges at least half a second
 * apart, and rounded to a whole number within one percent.
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

  /** `true` once the rate is measured, so that {@link now} is reliable. */
  get isKnown() {
    return this.#best !== null;
  }

  /** Server seconds per real second. */
  get rate() {
    return this.#rate;
  }

  /** The server's time now, in milliseconds since 1970; this machine's before the first exchange. */
  now() {
    const known = this.#best ?? this.#first;
    if (!known) return Date.now();
    return known.shown + (this.#monotonic() - known.at) * this.#rate;
  }

  /** A span of the server's clock in real time, both in milliseconds. */
  real(span) {
    return span / this.#rate;
  }

  /** This machine's monotonic clock at the server's rate: the `uptimeMs` of fixes and reports. */
  uptime() {
    return this.#monotonic() * this.#rate;
  }

  /**
   * Adds one exchange.
   * @param {number} sent when the request was sent, on the monotonic clock
   * @param {number} answered when the reply arrived
   * @param {number} shown the server's time half-way, in milliseconds since 1970
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
    // A newer exchange wins unless it was much slower: clocks drift, and slow exchanges are inaccurate.
    if (!this.#best || exchange.length <= 2 * this.#best.length || exchange.at - this.#best.at > 120_000) {
      this.#best = exchange;
    }
  }

  /** Starts again, with the old rate until it is measured: the server may have been restarted. */
  reset() {
    this.#first = null;
    this.#best = null;
  }
}

/** Requests the server's time. */
export async function exchange(connection, clock) {
  const sent = performance.now();
  const reply = await connection.ask('syncClock', clock.isKnown ? { uptimeMs: clock.uptime() } : {});
  const shown = (Date.parse(reply.receivedAt) + Date.parse(reply.sentAt)) / 2;
  clock.add(sent, performance.now(), shown);
}

/** Measures the server's clock on a new connection: now, and again until its rate is known. */
export async function synchronise(connection, clock) {
  clock.reset();
  for (const wait of [0, 100, 600, 1500]) {
    if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
    if (connection.isOver) return;
    await exchange(connection, clock);
  }
}
