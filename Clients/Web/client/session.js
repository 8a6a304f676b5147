import { randomName } from './credentials.js';
import { PromisedError } from './errors.js';

/** A token is refreshed at least this long before it expires, in milliseconds of real time. */
const EARLY_MS = 120_000;

/** The signed-in user: signs connections in and refreshes the tokens. */
export class Session {
  #credentials;
  #clock;
  #client;
  #deviceId;
  #isStrict;
  #bootId = randomName();
  #lifetime = 0;
  #renewing = null;

  /**
   * @param {Credentials} credentials
   * @param {ServerClock} clock
   * @param {{name: string, version: string, platform: string}} client
   * @param {string} deviceId
   * @param {boolean} [isStrict] the server refuses requests with unknown fields
   */
  constructor(credentials, clock, client, deviceId, isStrict = false) {
    this.#credentials = credentials;
    this.#clock = clock;
    this.#client = client;
    this.#deviceId = deviceId;
    this.#isStrict = isStrict;
  }

  /** The user's card; null if signed out. */
  get user() {
    return this.#credentials.read()?.user ?? null;
  }

  /** Identifies this boot of the device: the numbers of fixes restart in each. */
  get bootId() {
    return this.#bootId;
  }

  /**
   * Signs in by a request with a `session` reply, and stores it. A sign-in by password includes the device's secret.
   */
  async enter(connection, request, fields) {
    const secret = 'password' in fields ? { deviceSecret: this.#credentials.deviceSecret } : {};
    this.#keep(await connection.ask(request, { ...fields, ...secret }));
  }

  /**
   * Says hello with the stored token, refreshed if it is refused.
   * @returns {Promise<object>} the `welcome`
   * @throws {PromisedError} `auth.…` when the session is over
   */
  async greet(connection) {
    const kept = this.#credentials.read();
    if (!kept) throw new PromisedError('auth.required');
    try {
      return await this.#hello(connection, kept.accessToken);
    } catch (error) {
      if (!error.code?.startsWith('auth.')) throw error;
      return this.renew(connection);
    }
  }

  /** Exchanges the refresh token and says hello with the new one. */
  async renew(connection) {
    // One tab at a time, because each use of the refresh token makes a new one.
    this.#renewing ??= alone(() => this.#refresh(connection)).finally(() => {
      this.#renewing = null;
    });
    const session = await this.#renewing;
    return this.#hello(connection, session.accessToken);
  }

  /** `true` if the access token is due for renewal. */
  get isEnding() {
    const expires = Date.parse(this.#credentials.read()?.accessExpiresAt ?? '');
    const early = Math.min(EARLY_MS * this.#clock.rate, Math.max(this.#lifetime, 0) / 3);
    return this.#clock.isKnown && expires - this.#clock.now() < early;
  }

  /** Replaces the stored card of the user. */
  keepUser(user) {
    const kept = this.#credentials.read();
    if (kept) this.#credentials.write({ ...kept, user });
  }

  /** Signs out locally. */
  forget() {
    this.#credentials.write(null);
  }

  #hello(connection, token) {
    const device = { deviceId: this.#deviceId, bootId: this.#bootId };
    return connection.ask('hello', { token, client: this.#client, ...device, ...(this.#isStrict && { strict: true }) });
  }

  async #refresh(connection) {
    const before = this.#credentials.read();
    if (!before) throw new PromisedError('auth.token-invalid');
    const session = await connection.ask('refresh', { refreshToken: before.refreshToken });
    this.#keep(session);
    return session;
  }

  #keep(session) {
    this.#credentials.write(session);
    this.#lifetime = Date.parse(session.accessExpiresAt) - this.#clock.now();
  }
}

function alone(work) {
  const locks = globalThis.navigator?.locks;
  return locks ? locks.request('promised.refresh', work) : work();
}
