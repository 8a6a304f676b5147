/** A position younger than this is current; for an older one a new one is requested. */
const FRESH_MS = 10_000;
const TIMEOUT_MS = 8000;
/** If the monotonic clock has lost more than this against the wall clock, the device has slept, in milliseconds. */
const SLEEP_MS = 5000;

/** The browser's reason for a missing position, as a `PresenceCause`. */
const CAUSES = { 1: 'PERMISSION', 2: 'NO_FIX', 3: 'NO_FIX' };

/** `true` if a browser gives positions to this page at all: over HTTPS, or on localhost. */
export const canLocate = () => globalThis.isSecureContext && 'geolocation' in navigator;

/**
 * The browser's position. Its age counts from its delivery: the browser's own time of a position may be the receiver's,
 * and weeks off. Cached positions, which would be older, are never requested.
 *
 * It is watched: a receiver that stays on is more accurate, and while a watch runs, browsers delay single requests
 * until the position changes.
 *
 * Event `lost` (detail: a `PresenceCause`): the permission was withdrawn while watching. The watch begins again by
 * itself when the permission is back.
 */
export class Locator extends EventTarget {
  #watch = null;
  /** `true` from {@link start} until {@link stop}. */
  #isOn = false;
  /** The latest position, and both clocks when it was delivered. */
  #latest = null;
  #waiting = [];

  constructor() {
    super();
    // A watch ends for good when the permission is withdrawn.
    navigator.permissions?.query({ name: 'geolocation' }).then((permission) => permission.addEventListener('change', () => {
      if (!this.#isOn) return;
      if (permission.state === 'denied') this.#failed(1);
      else if (permission.state === 'granted') this.start();
    })).catch(() => undefined);
  }

  /** Starts watching; the browser may ask for permission now. */
  start() {
    if (!canLocate()) return;
    this.#clear();
    this.#isOn = true;
    const options = { enableHighAccuracy: true, timeout: TIMEOUT_MS, maximumAge: 0 };
    this.#watch = navigator.geolocation.watchPosition((position) => this.#found(position), ({ code }) => this.#failed(code), options);
  }

  /** Ends the watch: the browser's indicator for positions disappears. */
  stop() {
    this.#isOn = false;
    this.#clear();
    this.#failed(2);
    this.#latest = null;
  }

  /**
   * The current position.
   * @returns {Promise<object>} the fields of a fix, and its age in `ageMs`
   * @throws `{cause}`, a `PresenceCause`
   */
  async locate() {
    if (!canLocate()) throw { cause: 'PERMISSION' };
    const ageMs = this.#latest ? age(this.#latest) : Infinity;
    if (ageMs < FRESH_MS) return fix(this.#latest, ageMs);
    // A watch reports changes only; a new one reports the current position.
    this.start();
    return fix(await new Promise((resolve, reject) => this.#waiting.push({ resolve, reject })), 0);
  }

  #found(position) {
    const delivered = { coords: position.coords, uptime: performance.now(), wall: Date.now() };
    this.#latest = delivered;
    for (const { resolve } of this.#waiting.splice(0)) resolve(delivered);
  }

  #failed(code) {
    const cause = CAUSES[code] ?? 'NO_FIX';
    for (const { reject } of this.#waiting.splice(0)) reject({ cause });
    if (cause !== 'PERMISSION') return;
    this.#latest = null;
    this.dispatchEvent(new CustomEvent('lost', { detail: cause }));
  }

  #clear() {
    if (this.#watch !== null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
  }
}

/** How long ago a position was delivered, in milliseconds; infinite if the device has slept since. */
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
