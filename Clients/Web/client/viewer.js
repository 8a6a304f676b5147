import { Backoff } from './backoff.js';
import { ServerClock } from './clock.js';
import { Connection } from './connection.js';
import { SUBPROTOCOL, afterClose, socketMaker, pageServer } from './socket.js';

/** Refusals after which the same code may work again. */
const PASSING = new Set(['limit.viewers', 'limit.attempts', 'server.unavailable', 'server.internal']);
/** Events set the clock only after this time: earlier, their delays look like a faster or slower clock. */
const CLOCK_MS = 5000;

/**
 * Watches one promise by a link, without an account, over any number of connections.
 *
 * ```
 * connecting ─▶ online ──connection ends──▶ waiting ─▶ connecting …
 *      └───────────┴── the link is no good, or no longer ──▶ ended
 * ```
 *
 * Events: `state` (detail: the new state), `view` (detail: a `LinkView`, in place of all that was known), `event`
 * (detail: an event after it).
 */
export class PromisedViewer extends EventTarget {
  /** The server's clock, as far as events show it. */
  clock = new ServerClock();

  #code;
  #options;
  #backoff = new Backoff();
  #connection = null;
  #state = 'stopped';
  #reason = '';
  #reconnecting = null;
  #openedAt = 0;
  /** How often the server could not decode a frame of this client. */
  #malformed = 0;

  /**
   * @param {string} code the code of the link
   * @param {{url?: string, open?: (url: string, protocol: string) => WebSocket}} [options] as for `PromisedClient`
   */
  constructor(code, options = {}) {
    super();
    this.#code = code;
    this.#options = {
      url: options.url ?? pageServer(),
      open: options.open ?? socketMaker(),
    };
  }

  /** `connecting`, `online`, `waiting`, `ended`, `outdated` or `stopped`. */
  get state() {
    return this.#state;
  }

  /**
   * The reason, once it has ended: `code.invalid`, or `link-expired`, `link-revoked`, `link-replaced`,
   * `promise-cancelled`; while it waits, `limit.viewers` and the like, or an empty text.
   */
  get reason() {
    return this.#reason;
  }

  /** Starts watching. */
  connect() {
    if (this.#connection || this.#state === 'ended') return;
    clearTimeout(this.#reconnecting);
    this.#setState('connecting');
    const connection = new Connection(this.#options.open(this.#options.url, SUBPROTOCOL), {
      onOpen: () => this.#watch(connection),
      onEvent: (event) => this.#take(event),
      onEnd: (code) => this.#ended(code),
      // Such a connection may send no other request; the refusal suffices.
      askForLife: () => connection.ask('watchByLink', { code: this.#code }),
    });
    this.#connection = connection;
  }

  /** Connects at once instead of at the end of the wait. */
  reconnect() {
    if (this.#state === 'waiting') this.connect();
  }

  /** Checks the connection now, because the network may be gone. */
  check() {
    this.#connection?.check();
  }

  /** Stops watching, until {@link connect}. */
  close() {
    this.#leave('stopped');
  }

  async #watch(connection) {
    try {
      const view = await connection.ask('watchByLink', { code: this.#code });
      this.#backoff.reset();
      this.#reason = '';
      this.#openedAt = performance.now();
      this.clock.reset();
      this.#setState('online');
      this.#show(view);
    } catch (error) {
      this.#refused(connection, error);
    }
  }

  #refused(connection, error) {
    // The connection has ended, which is reported separately.
    if (connection.isOver) return;
    this.#reason = error.code;
    if (PASSING.has(error.code)) connection.fail();
    else this.#leave('ended');
  }

  #take(event) {
    if (event.sessionRevoked) this.#reason = event.sessionRevoked.reason ?? '';
    if (performance.now() - this.#openedAt > CLOCK_MS) this.#note(event.at);
    if (event.linkViewChanged) this.#show(event.linkViewChanged.view);
    else this.dispatchEvent(new CustomEvent('event', { detail: event }));
  }

  #show(view) {
    this.#note(view.serverTime);
    this.dispatchEvent(new CustomEvent('view', { detail: view }));
  }

  #note(instant) {
    const now = performance.now();
    if (instant) this.clock.add(now, now, Date.parse(instant));
  }

  #ended(code) {
    this.#connection = null;
    const next = afterClose(code);
    if (next === 'malformed') this.#malformed += 1;
    switch (next) {
      case 'signed-out':
        return this.#setState('ended');
      case 'malformed':
        if (this.#malformed < 2) return this.#wait();
        return this.#setState('outdated');
      case 'outdated':
        return this.#setState('outdated');
      default:
        return this.#wait();
    }
  }

  #wait() {
    this.#setState('waiting');
    this.#reconnecting = setTimeout(() => this.connect(), this.#backoff.next());
  }

  #leave(state) {
    clearTimeout(this.#reconnecting);
    this.#connection?.leave();
    this.#connection = null;
    this.#setState(state);
  }

  #setState(state) {
    if (this.#state === state) return;
    this.#state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: state }));
  }
}
