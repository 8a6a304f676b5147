import { insist } from './client/patience.js';
import { Locator } from './locator.js';
import { Meetup } from './meetup.js';

/** Where this tab stores the promises in which the user has agreed to share, for a reload. */
const KEY = 'promised.sharing';
/** Refusals that end sharing. */
const OVER = new Set(['position.sharing-off', 'position.not-accepted', 'promise.not-found']);

/**
 * The state of sharing in one promise.
 *
 * @typedef {object} Share
 * @property {string} promiseId
 * @property {string} title
 * @property {Reporter} reporter
 * @property {string|null} trouble a `PresenceCause`
 * @property {number|null} accuracy of the latest position, in metres
 * @property {string|null} rejected the code for which the server rejects all positions
 */

/**
 * The promises in which this tab shares the user's position, independent of the view. Event `change`.
 *
 * The view of a promise passes on its feed; without a view, this follows the promise itself.
 */
export class Sharing extends EventTarget {
  #client;
  #locator;
  #shares = new Map();
  /** The server's notices about positions that cannot count, by promise. */
  #doubts = new Map();
  /** Stops of which the server does not know yet, by promise: each ends when the user starts again. */
  #stops = new Map();

  /**
   * @param {PromisedClient} client
   * @param {Locator} [locator]
   */
  constructor(client, locator = new Locator()) {
    super();
    this.#client = client;
    this.#locator = locator;
    client.addEventListener('state', ({ detail }) => {
      if (detail === 'online') this.#goOn();
      // The consent was that of the previous user.
      this.#tell();
      if (detail === 'signed-out') remembered().forEach((promiseId) => this.forget(promiseId));
    });
    locator.addEventListener('lost', ({ detail }) => this.all.forEach(({ promiseId }) => this.#note(promiseId, { trouble: detail })));
    client.addEventListener('event', ({ detail: { promiseId, cannotCount } }) => {
      if (!cannotCount) return;
      this.#doubts.set(promiseId, cannotCount);
      this.#tell();
    });
  }

  /**
   * Why the user's positions near the place of a promise cannot count, as reported once by the server.
   * @returns {{errorMetres: number, limitMetres: number}|null}
   */
  doubt(promiseId) {
    return this.#doubts.get(promiseId) ?? null;
  }

  /** All active shares. @returns {Share[]} */
  get all() {
    return [...this.#shares.values()];
  }

  /** The share of a promise; null if inactive. @returns {Share|null} */
  of(promiseId) {
    return this.#shares.get(promiseId) ?? null;
  }

  /** `true` if the user agreed in this tab: the consent is for the promise, and survives a reload. */
  isRemembered(promiseId) {
    return remembered().includes(promiseId);
  }

  /** Starts sharing, as the user has agreed. The first report does not wait for a slot. */
  start(promise) {
    this.#stops.get(promise.promiseId)?.abort();
    remember([...remembered().filter((one) => one !== promise.promiseId), promise.promiseId]);
    this.#begin(promise);
  }

  /**
   * Ends sharing in a promise, as the user wants: at once here, and at the server as soon as it can be reached.
   * @throws {PromisedError} the server's refusal
   */
  async pause(promiseId) {
    this.forget(promiseId);
    const stop = new AbortController();
    this.#stops.set(promiseId, stop);
    try {
      await insist(this.#client, () => this.#client.call('setSharing', { promiseId, on: false }), stop.signal);
    } catch (error) {
      // The user started again before the server could be told, or signed out.
      if (!stop.signal.aborted && error.code !== 'client.stopped') throw error;
    } finally {
      if (this.#stops.get(promiseId) === stop) this.#stops.delete(promiseId);
    }
  }

  /** Ends sharing in a promise, and the user's consent to it. */
  forget(promiseId) {
    remember(remembered().filter((one) => one !== promiseId));
    this.stop(promiseId);
  }

  /** Stops reporting; drops pending fixes. */
  stop(promiseId) {
    this.#end(promiseId, (reporter) => reporter.stop());
  }

  /** Applies a new subscription: the time until the next report, in milliseconds of the server's clock; 0 for never. */
  follow(promise, nextReportMs) {
    const share = this.of(promise.promiseId);
    if (share) share.reporter.follow(nextReportMs);
    else if (!this.isRemembered(promise.promiseId)) return;
    else if (nextReportMs) this.#begin(promise);
    // Fixes pending since before a reload; there are none while the window is open.
    else if (promise.status === 'SETTLING') this.#reporter(promise.promiseId).finish();
  }

  /** Applies an event of a promise that contains slots. */
  event(promise, { positions, pace }) {
    const share = this.of(promise.promiseId);
    if (positions) share?.reporter.slot(positions.nextReportMs ?? 0);
    if (!pace) return;
    if (share) share.reporter.pace(pace.nextReportMs ?? 0);
    // An arrival that had ended sharing was retracted.
    else if (pace.nextReportMs && this.isRemembered(promise.promiseId)) this.#begin(promise);
  }

  /**
   * Ends sharing if the promise, in its current state, accepts no more positions of the user. @param {Meetup} meetup
   */
  obey(meetup) {
    const { promiseId } = meetup.promise;
    const mine = meetup.person(this.#client.user?.userId);
    const status = meetup.status(this.#client.clock.now());
    const isIn = mine?.membership === 'ACCEPTED' && !['FINAL', 'CANCELLED'].includes(status);
    if (!isIn) this.forget(promiseId);
    else if (mine.arrival?.stage === 'CONFIRMED') this.stop(promiseId);
    // The window is over: pending fixes still count while the result is settled.
    else if (!isTracked(meetup, status)) this.#end(promiseId, (reporter) => reporter.finish());
  }

  /** Continues sharing without the view of a promise, which was left. */
  viewLeft(promiseId) {
    if (this.of(promiseId)) this.#watch(promiseId);
  }

  /** Continues after a reload, possibly in another view than that of the promise. */
  #goOn() {
    remembered().filter((promiseId) => !this.of(promiseId)).forEach((promiseId) => this.#watch(promiseId));
  }

  /** Follows a promise until its view does, or it is over. */
  #watch(promiseId) {
    const meetup = new Meetup();
    const obey = () => {
      this.obey(meetup);
      if (!this.of(promiseId) && !isTracked(meetup, meetup.status(this.#client.clock.now()))) feed.stop();
    };
    const feed = this.#client.follow(promiseId, {
      onSnapshot: (promise) => meetup.reset(promise),
      onEvent: (event) => {
        meetup.apply(event);
        this.event(meetup.promise, event);
        obey();
      },
      // Follows each snapshot.
      onSlot: (nextReportMs) => {
        this.follow(meetup.promise, nextReportMs);
        obey();
      },
      onEnd: () => this.forget(promiseId),
    });
  }

  // Reporters

  #begin({ promiseId, title = '' }) {
    if (this.#shares.size === 0) this.#locator.start();
    const reporter = this.#reporter(promiseId);
    this.#shares.set(promiseId, { promiseId, title, reporter, trouble: null, accuracy: null, rejected: null });
    reporter.follow(1);
    this.#tell();
  }

  #reporter(promiseId) {
    return this.#client.reporter(promiseId, () => this.#locator.locate(), {
      onReport: (fix) => this.#note(promiseId, { trouble: null, accuracy: fix.accuracyMetres ?? 0 }),
      onTrouble: (trouble) => this.#note(promiseId, { trouble }),
      onAnswer: (rejected) => this.#note(promiseId, { rejected }),
      onRefusal: ({ code }) => (OVER.has(code) ? this.forget(promiseId) : this.#tell()),
    });
  }

  #note(promiseId, change) {
    Object.assign(this.#shares.get(promiseId) ?? {}, change);
    this.#tell();
  }

  #end(promiseId, stop) {
    const share = this.of(promiseId);
    if (!share) return;
    this.#shares.delete(promiseId);
    stop(share.reporter);
    if (this.#shares.size === 0) this.#locator.stop();
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event('change'));
  }
}

/** `true` if the window is open, by the clock and by the server's events: without a view, nothing checks the clock. */
const isTracked = ({ promise }, status) => status === 'TRACKING' && promise.status !== 'SETTLING';

function remembered() {
  return (sessionStorage.getItem(KEY) ?? '').split(' ').filter(Boolean);
}

function remember(promiseIds) {
  if (promiseIds.length > 0) sessionStorage.setItem(KEY, promiseIds.join(' '));
  else sessionStorage.removeItem(KEY);
}
