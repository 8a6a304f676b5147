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
 * Requests, replies and events have the names and shapes of the protocol (docs/protocol.md) as JSON, which omits
 * defaults: a missing number is 0 and a missing text is empty.
 */
import { Backoff } from './client/backoff.js';
import { exchange, ServerClock, synchronise } from './client/clock.js';
import { Connection } from './client/connection.js';
import { CourseRecorder } from './client/courserecorder.js';
import { Credentials, deviceId } from './client/credentials.js';
import { Downloader } from './client/downloader.js';
import { PromisedError } from './client/errors.js';
import { Feed } from './client/feed.js';
import { FileURLs } from './client/fileurls.js';
import { Latest } from './client/latest.js';
import { Notifications } from './client/notifications.js';
import { preparedPhoto, preparedPicture } from './client/photo.js';
import { RecordingStore } from './client/recordingstore.js';
import { Reporter } from './client/reporter.js';
import { Session } from './client/session.js';
import { askAsStranger } from './client/stranger.js';
import { SUBPROTOCOL, afterClose, socketMaker, pageServer } from './client/socket.js';
import { Uploader } from './client/uploader.js';
import { Viewport } from './client/viewport.js';

export { Backoff, Feed, Latest, Notifications, PromisedError, Reporter, ServerClock, Viewport };
export { CourseRecorder, Downloader, FileURLs, RecordingStore, Uploader, preparedPhoto, preparedPicture };
export { randomName } from './client/credentials.js';
export { PromisedViewer } from './client/viewer.js';

/**
 * A signed-in connection with automatic reconnection.
 *
 * ```
 * signed-out ──sign in──▶ connecting ─▶ online ──connection ends──▶ waiting ─▶ connecting …
 *      ▲                      │            │
 *      └── session is over ───┴────────────┘        replaced, outdated, stopped: until `connect()`
 * ```
 *
 * Events: `state` (detail: the new state), `event` (detail: an event, those of followed promises included), `welcome`
 * (detail: the `welcome` reply), `trouble` (detail: a {@link PromisedError} that belongs to no pending request).
 */
export class PromisedClient extends EventTarget {
  /** The server's clock. */
  clock = new ServerClock();
  /** The reporting interval while no slot is known, in milliseconds of the server's clock. */
  reportIntervalMs = 5000;

  #options;
  #session;
  #backoff = new Backoff();
  #feeds = new Map();
  #connection = null;
  #state = 'signed-out';
  #reconnecting = null;
  #fixSeq = 0;
  /** How often the server could not decode a frame of this client. */
  #malformed = 0;
  #uploader = new Uploader(this);
  #downloader = new Downloader(this);

  /**
   * @param {object} [options]
   * @param {string} [options.url] the WebSocket's address; default: `/ws` of the server of the page
   * @param {Storage|null} [options.storage] stores the session; default `localStorage`; null: in memory
   * @param {Storage|null} [options.tabStorage] stores this tab's device name; default `sessionStorage`
   * @param {{name: string, version: string, platform: string}} [options.client] identifies the program
   * @param {(url: string, protocol: string) => WebSocket} [options.open] makes a socket; for tests, and for runtimes
   *   without a `WebSocket`
   * @param {boolean} [options.strict] has the server refuse requests with unknown fields, for development and tests;
   *   default false
   * @throws {PromisedError} `client.unsupported` without `url` outside a page, and without `open` if there is no
   *   `WebSocket`
   */
  constructor(options = {}) {
    super();
    this.#options = {
      url: options.url ?? pageServer(),
      client: options.client ?? { name: 'promised.js', version: '1', platform: 'web' },
      open: options.open ?? socketMaker(),
    };
    const storage = options.storage === undefined ? globalThis.localStorage : options.storage;
    const tab = options.tabStorage === undefined ? globalThis.sessionStorage : options.tabStorage;
    /** The storage of this tab, which survives a reload; null for none. */
    this.tabStorage = tab;
    /** The name of this tab as a device. */
    this.deviceId = deviceId(tab);
    this.#session = new Session(new Credentials(storage), this.clock, this.#options.client, this.deviceId, options.strict);
  }

  /** `signed-out`, `connecting`, `online`, `waiting`, `replaced`, `outdated` or `stopped`. */
  get state() {
    return this.#state;
  }

  /** The signed-in user's card; null if signed out. */
  get user() {
    return this.#session.user;
  }

  /** Numbers this device's fixes, strictly rising across all promises. */
  get nextFixSeq() {
    return () => ++this.#fixSeq;
  }

  /** Connects with the stored session; does nothing without one. */
  connect() {
    if (!this.user || this.#connection) return;
    if (this.#state === 'outdated') this.#malformed = 0;
    this.#open((connection) => this.#resume(connection));
  }

  /** Creates an account and signs in. @throws {PromisedError} */
  async signUp(email, password, nickname) {
    await this.#enter('signUp', { email, password, nickname });
  }

  /** Signs in. @throws {PromisedError} */
  async signIn(email, password) {
    await this.#enter('signIn', { email, password });
  }

  /** Signs in by a one-time code. @throws {PromisedError} `code.invalid` if it is unknown or used */
  async exchangeCode(code) {
    await this.#enter('exchangeCode', { code });
  }

  /**
   * Checks whether a nickname is free, also without a sign-in.
   * @returns {Promise<{nickname: string, free?: boolean}>} the nickname as the server would store it
   * @throws {PromisedError} `request.invalid`, `limit.attempts`, `client.offline` …
   */
  checkNickname(nickname) {
    if (this.#state === 'online') return this.call('checkNickname', { nickname });
    return askAsStranger(this.#options.open(this.#options.url, SUBPROTOCOL), 'checkNickname', { nickname });
  }

  /** Changes the account, and {@link user} with it. @returns {Promise<object>} the `me` reply */
  async updateMe(fields) {
    const me = await this.call('updateMe', fields);
    this.#session.keepUser(me.user);
    return me;
  }

  /** Changes the password; all other sessions end. @throws {PromisedError} `auth.invalid-credentials` … */
  async changePassword(oldPassword, newPassword) {
    if (this.#state !== 'online') throw new PromisedError('client.offline');
    await this.#session.enter(this.#connection, 'changePassword', { oldPassword, newPassword });
  }

  /** Deletes the account for good. @throws {PromisedError} `auth.invalid-credentials` … */
  async deleteAccount(password) {
    await this.call('deleteAccount', { password });
    this.#forget();
  }

  /** Ends the session here, and at the server if that can be reached. */
  async signOut() {
    if (this.#state === 'online') await this.call('signOut', {}).catch(() => undefined);
    this.#forget();
  }

  /** Closes the connection until {@link connect}. */
  close() {
    this.#leave('stopped');
  }

  /** Connects at once instead of at the end of the wait: the network is back, or the user asked for it. */
  reconnect() {
    if (this.#state !== 'waiting' && this.#state !== 'replaced') return;
    clearTimeout(this.#reconnecting);
    this.connect();
  }

  /** Checks the connection now, because the network may be gone: without an answer within 3 s the client reconnects. */
  check() {
    this.#connection?.check();
  }

  /**
   * Sends a request of the protocol.
   * @param {string} name such as `createPromise`
   * @param {object} [fields] its fields
   * @returns {Promise<object>} the content of the reply
   * @throws {PromisedError} the server's refusal, `client.offline` or `client.disconnected`
   */
  call(name, fields = {}) {
    if (this.#state !== 'online') return Promise.reject(new PromisedError('client.offline'));
    return this.#connection.ask(name, fields);
  }

  /** Sends a request without a reply; drops it while offline. */
  send(name, fields = {}) {
    if (this.#state === 'online') this.#connection.tell(name, fields);
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

  /** Reports positions of a promise; see {@link Reporter}, to which the caller passes the feed's slots. */
  reporter(promiseId, locate, listener) {
    return new Reporter(this, promiseId, locate, listener);
  }

  /** Keeps the places of a map up to date while the user moves it; see {@link Viewport}. */
  viewport(listener, options) {
    return new Viewport((fields) => this.call('viewPlaces', fields), listener, options);
  }

  /** Uploads a file, over any number of connections; see {@link Uploader}. @returns {Promise<object>} the `StoredFile` */
  upload(blob, options) {
    return this.#uploader.upload(blob, options);
  }

  /** Reads a file, over any number of connections; see {@link Downloader}. @returns {Promise<Blob>} */
  readFile(fileId, options) {
    return this.#downloader.read(fileId, options);
  }

  /** Checks that a file, which was read before, can still be read. @throws {PromisedError} `file.not-found` */
  async checkFile(fileId, options) {
    await this.#downloader.check(fileId, options);
  }

  /** Begins a recording, with or without a connection. @returns {Promise<CourseRecorder>} */
  recordCourse(fields) {
    return CourseRecorder.start(this, fields);
  }

  /**
   * The notifications that the server announces from now on, over any number of connections.
   * @returns {Notifications} an async iterable for one reader
   */
  notifications() {
    const listen = (event) => notifications.take(event.detail);
    const notifications = new Notifications(() => this.removeEventListener('event', listen));
    this.addEventListener('event', listen);
    return notifications;
  }

  // Signing in

  /** Signs in by a request on a connection of its own; the promise settles when that is online or has failed. */
  async #enter(request, fields) {
    this.#leave('connecting');
    await new Promise((resolve, reject) => {
      this.#open(async (connection) => {
        try {
          await this.#session.enter(connection, request, fields);
          await this.#resume(connection);
          resolve();
        } catch (error) {
          reject(error);
          if (this.#connection === connection) this.#leave('signed-out');
        }
      }, reject);
    });
  }

  async #resume(connection) {
    try {
      this.#welcome(connection, await this.#session.greet(connection));
    } catch (error) {
      if (this.#connection === connection && error.code?.startsWith('auth.')) this.#forget();
      else connection.fail();
      throw error;
    }
  }

  #welcome(connection, welcome) {
    this.#backoff.reset();
    this.reportIntervalMs = welcome.reportIntervalMs || this.reportIntervalMs;
    this.#setState('online');
    synchronise(connection, this.clock)
      .then(() => this.dispatchEvent(new CustomEvent('clock')))
      // The connection has ended; the next one asks again.
      .catch(() => undefined);
    this.dispatchEvent(new CustomEvent('welcome', { detail: welcome }));
    for (const feed of this.#feeds.values()) feed.resume();
  }

  #forget() {
    this.#session.forget();
    for (const feed of this.#feeds.values()) feed.stop();
    this.#feeds.clear();
    this.#leave('signed-out');
  }

  // Connection

  #open(greet, onFailure) {
    clearTimeout(this.#reconnecting);
    this.#setState('connecting');
    const connection = new Connection(this.#options.open(this.#options.url, SUBPROTOCOL), {
      // A failure has already closed the connection or reached the caller.
      onOpen: () => Promise.resolve(greet(connection)).catch(() => undefined),
      onEvent: (event) => this.#deliver(event),
      onTrouble: (error) => this.dispatchEvent(new CustomEvent('trouble', { detail: error })),
      onEnd: (code, fault) => {
        this.#ended(code);
        onFailure?.(fault ? new PromisedError('request.invalid', fault) : new PromisedError('client.offline'));
      },
      askForLife: () => exchange(connection, this.clock),
      onPulse: () => this.#renew(connection),
    });
    this.#connection = connection;
  }

  #ended(code) {
    this.#detach();
    const next = afterClose(code);
    if (next === 'malformed') this.#malformed += 1;
    switch (next) {
      case 'signed-out':
        return this.#forget();
      case 'replaced':
        return this.#setState('replaced');
      case 'outdated':
        return this.#setState('outdated');
      case 'malformed':
        // A single frame may be wrong; a client of another protocol version would repeat such frames.
        if (this.#malformed > 1) return this.#setState('outdated');
        return this.#wait();
      default:
        return this.#wait();
    }
  }

  #wait() {
    // The greeting of the next connection refreshes a refused token.
    if (!this.user) return this.#setState('signed-out');
    this.#setState('waiting');
    this.#reconnecting = setTimeout(() => this.connect(), this.#backoff.next());
    return undefined;
  }

  /** Closes the current connection. */
  #leave(state) {
    clearTimeout(this.#reconnecting);
    this.#connection?.leave();
    this.#detach();
    this.#setState(state);
  }

  #detach() {
    this.#connection = null;
    for (const feed of this.#feeds.values()) feed.pause();
  }

  #setState(state) {
    if (this.#state === state) return;
    this.#state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: state }));
  }

  /** Renews the token, which must outlast the connection. */
  #renew(connection) {
    if (this.#state === 'online' && this.#session.isEnding) this.#session.renew(connection).catch(() => connection.fail());
  }

  // Events

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
}
