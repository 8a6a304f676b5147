/** A position younger than this is still where the device is; an older one is asked for anew. */
const FRESH_MS = 10_000;
const TIMEOUT_MS = 8000;
/** A monotonic clock that lost more than this against the wall clock stood still while the device slept, in milliseconds. */
const SLEEP_MS = 5000;

/** Why the browser gave no position, as a `PresenceCause`. */
const CAUSES = { 1: 'PERMISSION', 2: 'NO_FIX', 3: 'NO_FIX' };

/** Whether a browser gives positions to this page at all: over HTTPS, or from this machine. */
export const canLocate = () => globalThis.isSecureContext && 'geolocation' in navigator;

/**
 * The browser's position. Its age counts from the moment at which the browser delivers it: the browser's own time of a
 * position may be the receiver's, and weeks off. Positions from a cache, which would be older, are not asked for.
 *
 * It is watched: a receiver that is kept on is exact, and while a watch runs, browsers leave
 * single questions waiting until the position changes.
 */
export class Locator {
  #watch = null;
  /** The latest position, and both clocks when it was delivered. */
  #latest = null;
  #waiting = [];

  /** Begins to watch; the browser may ask for permission now. */
  start() {
    if (!canLocate()) return;
    this.#clear();
    const options = { enableHighAccuracy: true, timeout: TIMEOUT_MS, maximumAge: 0 };
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
    const ageMs = this.#latest ? age(this.#latest) : Infinity;
    if (ageMs < FRESH_MS) return fix(this.#latest, ageMs);
    // A watch tells of changes only; a new one tells where the device is.
    this.start();
    return fix(await new Promise((resolve, reject) => this.#waiting.push({ resolve, reject })), 0);
  }

  #found(position) {
    const delivered = { coords: position.coords, uptime: performance.now(), wall: Date.now() };
    this.#latest = delivered;
    for (const { resolve } of this.#waiting.splice(0)) resolve(delivered);
  }

  #failed(code) {
    for (const { reject } of this.#waiting.splice(0)) reject({ cause: CAUSES[code] ?? 'NO_FIX' });
  }

  #clear() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
  }
}

/** How long ago a position was delivered, in milliseconds; longer than anything if the device has slept since. */
function age({ uptime, wall }) {
  const elapsed = performance.now() - uptime;
  return Date.now() - wall - elapsed > SLEEP_MS ? Infinity : elapsed;
}

function fix({ coords }, ageMs) {
  const optional = (name, value) => (Number.isFinite(value) ? { [name]: value } : {});
  return {
    latitude: coords.latitude,
    longitude: coords.longitude,
    ...optional('accuracyMetres', coords.accuracy),
    ...optional('speedMps', coords.speed),
    ...optional('courseDegrees', coords.heading),
    ageMs,
  };
}
