/** A position younger than this is still where the device is; an older one is asked for anew. */
const FRESH_MS = 10_000;
const TIMEOUT_MS = 8000;

/** Why the browser gave no position, as a `PresenceCause`. */
const CAUSES = { 1: 'PERMISSION', 2: 'NO_FIX', 3: 'NO_FIX' };

/** Whether a browser gives positions to this page at all: over HTTPS, or from this machine. */
export const canLocate = () => globalThis.isSecureContext && 'geolocation' in navigator;

/**
 * The browser's position. It is watched: a receiver that is kept on is exact, and while a watch runs, browsers leave
 * single questions waiting until the position changes.
 */
export class Locator {
  #watch = null;
  #latest = null;
  #waiting = [];

  /** Begins to watch; the browser may ask for permission now. */
  start() {
    if (!canLocate()) return;
    this.#clear();
    const options = { enableHighAccuracy: true, timeout: TIMEOUT_MS };
    this.#watch = navigator.geolocation.watchPosition((position) => this.#found(position), ({ code }) => this.#failed(code), options);
  }

  /** Ends the watch: the browser's own sign that a position is used goes out. */
  stop() {
    this.#clear();
    this.#failed(2);
    this.#latest = null;
  }

  /**
   * A position now.
   * @returns {Promise<object>} the fields of a fix, and its age in `ageMs`
   * @throws `{cause}`, a `PresenceCause`
   */
  async locate() {
    if (!canLocate()) throw { cause: 'PERMISSION' };
    if (this.#latest && Date.now() - this.#latest.timestamp < FRESH_MS) return fix(this.#latest);
    // A watch tells of changes only; a new one tells where the device is.
    this.start();
    return fix(await new Promise((resolve, reject) => this.#waiting.push({ resolve, reject })));
  }

  #found(position) {
    this.#latest = position;
    for (const { resolve } of this.#waiting.splice(0)) resolve(position);
  }

  #failed(code) {
    for (const { reject } of this.#waiting.splice(0)) reject({ cause: CAUSES[code] ?? 'NO_FIX' });
  }

  #clear() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
  }
}

function fix({ coords, timestamp }) {
  const optional = (name, value) => (Number.isFinite(value) ? { [name]: value } : {});
  return {
    latitude: coords.latitude,
    longitude: coords.longitude,
    ...optional('accuracyMetres', coords.accuracy),
    ...optional('speedMps', coords.speed),
    ...optional('courseDegrees', coords.heading),
    ageMs: Math.min(60_000, Math.max(0, Date.now() - timestamp)),
  };
}
