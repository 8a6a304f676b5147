const KEY = 'promised.session';
const DEVICE = 'promised.device';
const SECRET = 'promised.deviceSecret';

/**
 * The tokens of the signed-in user, shared by all tabs of the page through a `Storage`.
 *
 * Refresh tokens change with each use, so the storage is read again each time: another tab may have used one.
 */
export class Credentials {
  #storage;
  #memory = null;
  #secret = null;

  /** @param {Storage|null} storage preserves them across reloads; null: in memory only */
  constructor(storage) {
    this.#storage = storage;
  }

  /** @returns {{accessToken: string, refreshToken: string, accessExpiresAt: string, user: object}|null} */
  read() {
    try {
      const text = this.#storage?.getItem(KEY);
      if (text) return JSON.parse(text);
      return this.#storage ? null : this.#memory;
    } catch {
      // Storage that is disabled or was tampered with: this tab's copy is still valid.
      return this.#memory;
    }
  }

  /** The secret by which accounts recognise this browser; it survives a sign-out. @returns {string} 32 characters */
  get deviceSecret() {
    try {
      this.#secret = this.#storage?.getItem(SECRET) ?? this.#secret;
      if (this.#secret) return this.#secret;
      this.#secret = randomName();
      this.#storage?.setItem(SECRET, this.#secret);
    } catch {
      // Storage is disabled: the account will not recognise the next page.
      this.#secret ??= randomName();
    }
    return this.#secret;
  }

  /** @param {object|null} session a `session` reply; null deletes it */
  write(session) {
    this.#memory = session;
    try {
      if (session) this.#storage?.setItem(KEY, JSON.stringify(session));
      else this.#storage?.removeItem(KEY);
    } catch {
      // Full or disabled: the session then ends with the page.
    }
  }
}

/**
 * The name of this tab as a device, preserved across reloads: two tabs must not replace each other's connection.
 * @param {Storage|null} storage usually `sessionStorage`
 * @returns {string} at most 64 characters
 */
export function deviceId(storage) {
  try {
    const known = storage?.getItem(DEVICE);
    if (known) return known;
    const made = 'web-' + randomName();
    storage?.setItem(DEVICE, made);
    return made;
  } catch {
    return 'web-' + randomName();
  }
}

/** 128 random bits as text; `crypto.randomUUID` is missing on pages without TLS. */
export function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
