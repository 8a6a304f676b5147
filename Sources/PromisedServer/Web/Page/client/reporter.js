import { FixQueue } from './fixqueue.js';

/** What makes a whole report pointless: the fixes of it are of no use later either. */
const HOPELESS = new Set(['position.outside-window', 'position.not-accepted', 'position.sharing-off', 'promise.not-found']);

/**
 * Reports this device's position of one promise in the slots the server names (protocol §6).
 *
 * `locate` is asked for a fix in each slot; what cannot be sent is kept and goes with a later report. The server's word
 * `nextReportMs` comes with every reply and with `positions` and `pace` events; 0 means to stop until it says otherwise.
 */
export class Reporter {
  #client;
  #locate;
  #listener;
  #queue = new FixQueue();
  #seq;
  #timer = null;
  #isPaced = false;
  #isStopped = false;
  #isBusy = false;

  /**
   * @param {object} client a `PromisedClient`
   * @param {string} promiseId
   * @param {() => Promise<object>} locate a fix without `seq` and clocks; rejects with `{cause}`, a `PresenceCause`
   * @param {{onReport?: (fix: object) => void, onTrouble?: (cause: string) => void, onRefusal?: (error: object) => void}} [listener]
   */
  constructor(client, promiseId, locate, listener = {}) {
    this.#client = client;
    this.promiseId = promiseId;
    this.#locate = locate;
    this.#listener = listener;
    this.#seq = client.nextFixSeq;
  }

  /** How many fixes wait to be sent. */
  get waiting() {
    return this.#queue.count;
  }

  /** Obeys a slot: from now to the next report, in milliseconds of the server's clock; 0 stops. */
  slot(nextReportMs) {
    if (this.#isStopped || this.#isPaced) return;
    this.#schedule(nextReportMs);
  }

  /** Obeys a pace of this user's own, which holds against slots until the next one, or until {@link follow}. */
  pace(nextReportMs) {
    if (this.#isStopped) return;
    this.#isPaced = true;
    this.#schedule(nextReportMs);
  }

  /** A new subscription begins: a pace of before holds no longer. */
  follow(nextReportMs) {
    this.#isPaced = false;
    this.slot(nextReportMs);
  }

  /** Stops for good; fixes that wait are given up. */
  stop() {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#queue.clear();
  }

  #schedule(nextReportMs) {
    if (this.#isBusy) return;
    clearTimeout(this.#timer);
    if (!nextReportMs) return;
    const { clock } = this.#client;
    // Until the rate is known nothing can be dated; and where the clock runs fast, slots follow each other faster
    // than a position can be taken.
    const least = !clock.isKnown ? 1000 : clock.rate > 1 ? 150 : 0;
    const wait = Math.max(least, clock.real(nextReportMs));
    this.#timer = setTimeout(() => this.#report(), wait);
  }

  async #report() {
    this.#isBusy = true;
    let next = this.#client.reportIntervalMs;
    try {
      await this.#take();
      next = await this.#send(next);
    } finally {
      this.#isBusy = false;
      if (!this.#isStopped) this.#schedule(next);
    }
  }

  async #take() {
    try {
      const located = await this.#locate();
      if (this.#isStopped) return;
      const fix = { seq: this.#seq(), ...located, uptimeMs: this.#uptime(located.ageMs ?? 0) };
      delete fix.ageMs;
      this.#queue.add(fix);
      this.#listener.onReport?.(fix);
    } catch (error) {
      const cause = error?.cause ?? 'NO_FIX';
      this.#listener.onTrouble?.(cause);
      this.#client.send('reportTrouble', { promiseId: this.promiseId, cause });
    }
  }

  /** The device's clock when a position that is so many real milliseconds old was taken. */
  #uptime(ageMs) {
    return this.#client.clock.uptime() - ageMs * this.#client.clock.rate;
  }

  /** @returns {Promise<number>} from now to the next report */
  async #send(next) {
    const fixes = this.#queue.batch();
    if (fixes.length === 0) return next;
    try {
      const clocks = { uptimeMs: this.#client.clock.uptime() };
      const reply = await this.#client.call('report', { promiseId: this.promiseId, fixes, ...clocks });
      this.#queue.settle([...(reply.taken ?? []), ...(reply.rejected ?? []).map((one) => one.seq)]);
      return reply.nextReportMs ?? 0;
    } catch (error) {
      if (HOPELESS.has(error.code) || error.retry === 'NEVER') {
        this.#queue.settle(fixes.map((fix) => fix.seq));
        this.#listener.onRefusal?.(error);
      }
      return Math.max(next, error.retryAfterMs ?? 0);
    }
  }
}
