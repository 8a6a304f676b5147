import { FixQueue } from './fixqueue.js';
import { FixStore } from './fixstore.js';

/** Errors after which all fixes of a report are useless. */
const HOPELESS = new Set(['position.outside-window', 'position.not-accepted', 'position.sharing-off', 'promise.not-found']);

/**
 * Reports this device's position of one promise in the server's slots (docs/protocol.md#reporting-slots).
 *
 * Calls `locate` for a fix in each slot; unsent fixes are stored, also across a reload, and sent with a later report,
 * the newest first. Every reply and the `positions` and `pace` events contain `nextReportMs`; 0 stops reports until the
 * next instruction.
 */
export class Reporter {
  #client;
  #locate;
  #listener;
  #queue = new FixQueue();
  #store;
  #seq;
  #timer = null;
  #isPaced = false;
  #isStopped = false;
  #isFinishing = false;
  #isBusy = false;
  /** The earliest `performance.now()` of a report, as requested by the server. */
  #earliest = 0;

  /**
   * @param {object} client a `PromisedClient`
   * @param {string} promiseId
   * @param {() => Promise<object>} locate a fix without `seq` and clocks; rejects with `{cause}`, a `PresenceCause`
   * @param {object} [listener]
   * @param {(fix: object) => void} [listener.onReport] a position was measured
   * @param {(cause: string) => void} [listener.onTrouble] none could be measured
   * @param {(code: string|null) => void} [listener.onAnswer] the server has decided on a report: null if it took a position, else
   *   the code for which it rejected the newest one
   * @param {(error: object) => void} [listener.onRefusal] the server refused a whole report for good
   */
  constructor(client, promiseId, locate, listener = {}) {
    this.#client = client;
    this.promiseId = promiseId;
    this.#locate = locate;
    this.#listener = listener;
    this.#seq = client.nextFixSeq;
    this.#store = new FixStore(client.tabStorage ?? null, promiseId);
    for (const fix of this.#store.read()) this.#queue.add({ ...fix, seq: this.#seq() });
  }

  /** The number of pending fixes. */
  get waiting() {
    return this.#queue.count;
  }

  /** Applies a slot: from now to the next report, in milliseconds of the server's clock; 0 stops. */
  slot(nextReportMs) {
    if (this.#isStopped || this.#isPaced) return;
    this.#schedule(nextReportMs);
  }

  /** Applies an individual pace, which overrides slots until the next one, or until {@link follow}. */
  pace(nextReportMs) {
    if (this.#isStopped) return;
    this.#isPaced = true;
    this.#schedule(nextReportMs);
  }

  /** Applies a new subscription, which ends an earlier pace. */
  follow(nextReportMs) {
    this.#isPaced = false;
    this.slot(nextReportMs);
  }

  /** Stops for good and drops pending fixes. */
  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#queue.clear();
    this.#keep();
  }

  /** Records no more positions, sends the pending ones, and then stops for good. */
  finish() {
    this.#isFinishing = true;
    if (this.#queue.count === 0) this.stop();
    else this.#schedule(this.#client.reportIntervalMs);
  }

  #schedule(nextReportMs) {
    if (this.#isBusy || this.#isStopped) return;
    clearTimeout(this.#timer);
    if (!nextReportMs) return;
    const { clock } = this.#client;
    // Until the rate is known nothing can be dated; and with a fast clock, slots are shorter than measuring a position
    // takes.
    const least = !clock.isKnown ? 1000 : clock.rate > 1 ? 150 : 0;
    const wait = Math.max(least, clock.real(nextReportMs), this.#earliest - performance.now());
    this.#timer = setTimeout(() => this.#report(), wait);
  }

  async #report() {
    this.#isBusy = true;
    let next = this.#client.reportIntervalMs;
    try {
      if (!this.#isFinishing) await this.#take();
      next = await this.#send(next);
    } finally {
      this.#isBusy = false;
      if (!this.#isStopped && this.#isFinishing) this.finish();
      else this.#schedule(next);
    }
  }

  async #take() {
    try {
      const located = await this.#locate();
      if (this.#isStopped) return;
      const { ageMs = 0, ...position } = located;
      const fix = { seq: this.#seq(), ...position, uptimeMs: this.#uptime(ageMs), recordedAt: this.#wallClock(ageMs) };
      this.#queue.add(fix);
      this.#keep();
      this.#listener.onReport?.(fix);
    } catch (error) {
      const cause = error?.cause ?? 'NO_FIX';
      this.#listener.onTrouble?.(cause);
      this.#client.send('reportTrouble', { promiseId: this.promiseId, cause });
    }
  }

  /** The device's clock when a position of this age, in real milliseconds, was measured. */
  #uptime(ageMs) {
    return this.#client.clock.uptime() - ageMs * this.#client.clock.rate;
  }

  /** The server's time then, as estimated. */
  #wallClock(ageMs) {
    const { clock } = this.#client;
    return new Date(clock.now() - ageMs * clock.rate).toISOString();
  }

  #keep() {
    this.#store.write(this.#queue.all);
  }

  #settle(seqs) {
    this.#queue.settle(seqs);
    this.#keep();
  }

  /** The content of a report, dated by the monotonic clock if the fix has it, by the wall clock after a reload. */
  #content(fixes) {
    const isOld = fixes.some((fix) => fix.uptimeMs === undefined);
    const sent = fixes.map(({ recordedAt, ...fix }) => (fix.uptimeMs === undefined ? { ...fix, recordedAt } : fix));
    const clocks = { uptimeMs: this.#client.clock.uptime(), ...(isOld ? { sentAt: this.#wallClock(0) } : {}) };
    return { promiseId: this.promiseId, fixes: sent, ...clocks };
  }

  /** @returns {Promise<number>} from now to the next report */
  async #send(next) {
    const fixes = this.#queue.batch();
    if (fixes.length === 0) return next;
    try {
      const reply = await this.#client.call('report', this.#content(fixes));
      const { taken = [], rejected = [] } = reply;
      this.#settle([...taken, ...rejected.map((one) => one.seq)]);
      this.#listener.onAnswer?.(taken.length > 0 ? null : rejected.at(-1)?.code ?? null);
      return reply.nextReportMs ?? 0;
    } catch (error) {
      if (HOPELESS.has(error.code) || error.retry === 'NEVER') {
        this.#settle(fixes.map((fix) => fix.seq));
        this.#listener.onRefusal?.(error);
      }
      // In real time, unlike slots; slots received meanwhile come no earlier.
      this.#earliest = performance.now() + (error.retryAfterMs ?? 0);
      return next;
    }
  }
}
