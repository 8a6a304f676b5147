/**
 * The JavaScript client of promised: connects, signs in, resumes, follows promises and reports positions.
 *
 * ```js
 * import { PromisedClient } from '/assets/promised.js';
 *
 * const client = new PromisedClient();
 * await client.signIn('ada@example.org', 'correct horse battery');
 * const { promises } = await client.call('listPromises', { list: 'TRACKING' });
 * client.follow(promises[0].promiseId, { onSnapshot: show, onEvent: update });
 * ```
 *
 * Requests, replies and events have the names and shapes of the protocol (docs/protocol.md) as JSON; defaults are
 * left out there, so a missing number is 0 and a missing text is empty.
 */
import { Backoff } from './client/backoff.js';
import { Calls } from './client/calls.js';
import { ServerClock } from './client/clock.js';
import { Credentials, deviceId, randomName } from './client/credentials.js';
import { PromisedError } from './client/errors.js';
import { Feed } from './client/feed.js';
import { Reporter } from './client/reporter.js';
import { SUBPROTOCOL, afterClose, pageServer } from './client/socket.js';

export { Backoff, Calls, Credentials, Feed, PromisedError, Reporter, ServerClock, afterClose, randomName };
export { FixQueue } from './client/fixqueue.js';

/** A silent connection is asked for a sign of life after so long, and given up when none comes in time. */
const QUIET_MS = 25_000;
const PATIENCE_MS = 10_000;

/**
 * A signed-in connection that comes back by itself.
 *
 * ```
 * signed-out ──sign in──▶ connecting ─▶ online ──connection ends──▶ waiting ─▶ connecting …
 *      ▲                      │            │
 *      └── session is over ───┴────────────┘        replaced, outdated, stopped: until `connect()`
 * ```
 *
 * Events: `state` (detail: the new state), `event` (detail: an event, those of followed promises included),
 * `welcome` (detail: the `welcome` reply), `trouble` (detail: a {@link PromisedError} no request waits for).
 */
export class PromisedClient extends EventTarget {
  /** The server's clock. */
  clock = new ServerClock();
  /** How often positions are due while no slot is known, in milliseconds of the server's clock. */
  reportIntervalMs = 5000;

  #options;
  #credentials;
  #backoff = new Backoff();
  #calls = new Calls();
  #feeds = new Map();
  #socket = null;
  #state = 'signed-out';
  #timers = { reconnect: null, pulse: null };
  #heardAt = 0;
  #asked = 0;
  #fixSeq = 0;
  #bootId = randomName();
  #lifetime = 0;
  #refreshing = null;

  /**
   * @param {object} [options]
   * @param {string} [options.url] the WebSocket's address; default: `/ws` of the server the page is from
   * @param {Storage|null} [options.storage] where the session is kept; default `localStorage`; null: in memory
   * @param {Storage|null} [options.tabStorage] where this tab's device name is kept; default `sessionStorage`
   * @param {{name: string, version: string, platform: string}} [options.client] who this is
   * @param {(url: string, protocol: string) => WebSocket} [options.open] makes a socket; a seam for tests
   */
  constructor(options = {}) {
    super();
    this.#options = {
      url: options.url ?? pageServer(),
      client: options.client ?? { name: 'promised.js', version: '1', platform: 'web' },
      open: options.open ?? ((url, protocol) => new WebSocket(url, protocol)),
    };
    this.#credentials = new Credentials(options.storage === undefined ? globalThis.localStorage : options.storage);
    const tab = options.tabStorage === undefined ? globalThis.sessionStorage : options.tabStorage;
    this.deviceId = deviceId(tab);
  }

  /** `signed-out`, `connecting`, `online`, `waiting`, `replaced`, `outdated` or `stopped`. */
  get state() {
    return this.#state;
  }

  /** Who is signed in, as a user card; null for nobody. */
  get user() {
    return this.#credentials.read()?.user ?? null;
  }

  /** Gives the numbers of this device's fixes, strictly rising for all promises together. */
  get nextFixSeq() {
    return () => ++this.#fixSeq;
  }

  /** Connects with the session that is kept; without one nothing happens. */
  connect() {
    if (!this.#credentials.read() || this.#state === 'online' || this.#socket) return;
    this.#open((socket) => this.#greet(socket));
  }

  /** Makes an account and signs in. @throws {PromisedError} */
  async signUp(email, password, nickname) {
    await this.#enter('signUp', { email, password, nickname });
  }

  /** Signs in. @throws {PromisedError} */
  async signIn(email, password) {
    await this.#enter('signIn', { email, password });
  }

  /** Ends the session here and at the server, as far as that can be reached. */
  async signOut() {
    if (this.#state === 'online') await this.call('signOut', {}).catch(() => undefined);
    this.#forget();
  }

  /** Closes the connection and stays away until {@link connect}. */
  close() {
    this.#drop('stopped');
  }

  /** Connects at once instead of at the end of the wait: the network is back, or somebody asked for it. */
  reconnect() {
    if (this.#state !== 'waiting' && this.#state !== 'replaced') return;
    clearTimeout(this.#timers.reconnect);
    this.connect();
  }

  /**
   * Makes a request of the protocol.
   * @param {string} name such as `createPromise`
   * @param {object} [fields] its fields
   * @returns {Promise<object>} the content of the reply
   * @throws {PromisedError} the server's refusal, `client.offline` or `client.disconnected`
   */
  call(name, fields = {}) {
    if (this.#state !== 'online') return Promise.reject(new PromisedError('client.offline'));
    return this.#ask(this.#socket, name, fields);
  }

  /** Makes a request that wants no reply; offline it is given up. */
  send(name, fields = {}) {
    if (this.#state === 'online') this.#socket.send(JSON.stringify({ [name]: fields }));
  }

  /**
   * Follows a promise until the feed is stopped, over any number of connections.
   * @param {string} promiseId
   * @param {object} listener see {@link Feed}
   * @returns {{stop: () => void}}
   */
  follow(promiseId, listener) {
    this.#feeds.get(promiseId)?.stop();
    const feed = new Feed(promiseId, (fields) => this.call('subscribe', fields), listener);
    this.#feeds.set(promiseId, feed);
    if (this.#state === 'online') feed.resume();
    return { stop: () => this.#unfollow(feed) };
  }

  /** Reports positions of a promise; see {@link Reporter}, whose slots the caller passes on from the feed. */
  reporter(promiseId, locate, listener) {
    return new Reporter(this, promiseId, locate, listener);
  }

  // Sign-in

  async #enter(request, fields) {
    this.#drop('connecting');
    await new Promise((resolve, reject) => {
      this.#open(async (socket) => {
        try {
          this.#keep(await this.#ask(socket, request, fields));
          await this.#greet(socket);
          resolve();
        } catch (error) {
          reject(error);
          if (this.#socket === socket) this.#drop('signed-out');
        }
      }, reject);
    });
  }

  /** Says hello with the token that is kept, refreshed when it is refused. */
  async #greet(socket) {
    const kept = this.#credentials.read();
    if (!kept) return this.#forget();
    try {
      let welcome;
      try {
        welcome = await this.#hello(socket, kept.accessToken);
      } catch (error) {
        if (!error.code?.startsWith('auth.')) throw error;
        const renewed = await this.#refresh(socket);
        welcome = await this.#hello(socket, renewed.accessToken);
      }
      this.#welcome(socket, welcome);
    } catch (error) {
      if (this.#socket !== socket) throw error;
      if (error.code?.startsWith('auth.')) this.#forget();
      else socket.close();
      throw error;
    }
  }

  #hello(socket, token) {
    const device = { deviceId: this.deviceId, bootId: this.#bootId };
    return this.#ask(socket, 'hello', { token, client: this.#options.client, ...device });
  }

  /** Exchanges the refresh token; one tab at a time, for each use makes a new one. */
  #refresh(socket) {
    this.#refreshing ??= this.#alone(async () => {
      const before = this.#credentials.read();
      if (!before) throw new PromisedError('auth.token-invalid');
      const session = await this.#ask(socket, 'refresh', { refreshToken: before.refreshToken });
      this.#keep(session);
      return session;
    }).finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  #alone(work) {
    const locks = globalThis.navigator?.locks;
    return locks ? locks.request('promised.refresh', work) : work();
  }

  #keep(session) {
    this.#credentials.write(session);
    this.#lifetime = Date.parse(session.accessExpiresAt) - this.clock.now();
  }

  #welcome(socket, welcome) {
    this.#backoff.reset();
    this.reportIntervalMs = welcome.reportIntervalMs || this.reportIntervalMs;
    this.#setState('online');
    this.#synchronise(socket);
    this.dispatchEvent(new CustomEvent('welcome', { detail: welcome }));
    for (const feed of this.#feeds.values()) feed.resume();
  }

  #forget() {
    this.#credentials.write(null);
    for (const feed of this.#feeds.values()) feed.stop();
    this.#feeds.clear();
    this.#drop('signed-out');
  }

  // Connection

  #open(greet, onFailure) {
    clearTimeout(this.#timers.reconnect);
    this.#setState('connecting');
    const socket = this.#options.open(this.#options.url, SUBPROTOCOL);
    this.#socket = socket;
    this.#calls = new Calls();
    socket.addEventListener('open', () => {
      this.#heard();
      this.#timers.pulse = setInterval(() => this.#pulse(socket), 5000);
      // What goes wrong has already closed the socket or told the caller.
      Promise.resolve(greet(socket)).catch(() => undefined);
    });
    socket.addEventListener('message', (message) => this.#take(socket, message.data));
    socket.addEventListener('close', (close) => {
      if (this.#socket !== socket) return;
      this.#ended(close.code);
      onFailure?.(new PromisedError('client.offline'));
    });
  }

  #ended(code) {
    this.#detach();
    switch (afterClose(code)) {
      case 'signed-out':
        return this.#forget();
      case 'replaced':
        return this.#setState('replaced');
      case 'outdated':
        return this.#setState('outdated');
      default:
        // A token that was refused is refreshed by the greeting of the next connection.
        if (!this.#credentials.read()) return this.#setState('signed-out');
        this.#setState('waiting');
        this.#timers.reconnect = setTimeout(() => this.connect(), this.#backoff.next());
    }
  }

  #drop(state) {
    const socket = this.#socket;
    clearTimeout(this.#timers.reconnect);
    this.#detach();
    socket?.close();
    this.#setState(state);
  }

  #detach() {
    clearInterval(this.#timers.pulse);
    this.#socket = null;
    this.#calls.end();
    for (const feed of this.#feeds.values()) feed.pause();
  }

  #setState(state) {
    if (this.#state === state) return;
    this.#state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: state }));
  }

  // Frames

  #ask(socket, name, fields) {
    const { text, reply } = this.#calls.make(name, fields);
    socket.send(text);
    return reply;
  }

  #take(socket, text) {
    if (this.#socket !== socket) return;
    this.#heard();
    const frame = JSON.parse(text);
    if (frame.event) return this.#deliver(frame.event);
    const error = this.#calls.take(frame);
    if (error) this.dispatchEvent(new CustomEvent('trouble', { detail: error }));
  }

  #deliver(event) {
    if (event.promiseId) this.#feeds.get(event.promiseId)?.take(event);
    this.dispatchEvent(new CustomEvent('event', { detail: event }));
  }

  #unfollow(feed) {
    feed.stop();
    if (this.#feeds.get(feed.promiseId) !== feed) return;
    this.#feeds.delete(feed.promiseId);
    this.send('unsubscribe', { promiseId: feed.promiseId });
  }

  // Pulse

  #heard() {
    this.#heardAt = performance.now();
    this.#asked = 0;
  }

  /** Every five seconds: is the peer still there, and does the token last? */
  #pulse(socket) {
    const now = performance.now();
    if (this.#asked && now - this.#asked > PATIENCE_MS) return this.#giveUp(socket);
    if (this.#state !== 'online') return;
    if (!this.#asked && now - this.#heardAt > QUIET_MS) {
      this.#asked = now;
      this.#exchange(socket).catch(() => undefined);
    }
    const expires = Date.parse(this.#credentials.read()?.accessExpiresAt ?? '');
    const early = Math.min(120_000 * this.clock.rate, Math.max(this.#lifetime, 0) / 3);
    if (this.clock.isKnown && expires - this.clock.now() < early) {
      this.#refresh(socket)
        .then((session) => this.#hello(socket, session.accessToken))
        .catch(() => socket.close());
    }
  }

  /** The peer is gone without a word; the browser would wait for its close frame much longer. */
  #giveUp(socket) {
    socket.close();
    if (this.#socket === socket) this.#ended(1006);
  }

  /** Learns the server's clock: now, and again until its rate is known. */
  async #synchronise(socket) {
    this.clock.reset();
    try {
      for (const wait of [0, 100, 600, 1500]) {
        if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
        if (this.#socket !== socket) return;
        await this.#exchange(socket);
      }
      this.dispatchEvent(new CustomEvent('clock'));
    } catch {
      // The connection has ended; the next one asks again.
    }
  }

  async #exchange(socket) {
    const sent = performance.now();
    const reply = await this.#ask(socket, 'syncClock', this.clock.isKnown ? { uptimeMs: this.clock.uptime() } : {});
    const shown = (Date.parse(reply.receivedAt) + Date.parse(reply.sentAt)) / 2;
    this.clock.add(sent, performance.now(), shown);
  }
}
