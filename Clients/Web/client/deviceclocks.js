import { randomName } from './credentials.js';

/** Identifies this load of the page: `performance.now()` restarts with each. */
const BOOT = randomName();
/** If the monotonic clock has lost more than this against the wall clock, the device has slept, in milliseconds. */
const SLEEP_MS = 5000;

/** Both clocks of this device, in milliseconds of real time. */
export class DeviceClocks {
  /** Identifies this load of the page. */
  boot = BOOT;
  /** The monotonic clock. */
  uptime = () => performance.now();
  /** The wall clock, since 1970. */
  wall = () => Date.now();

  /** The readings of both clocks this many milliseconds ago. */
  reading(ageMs = 0) {
    return { boot: this.boot, uptime: this.uptime() - ageMs, wall: this.wall() - ageMs };
  }

  /**
   * The clocks of a point in the protocol's form, as of now.
   *
   * Omits the monotonic clock if it is meaningless: after a reload, and after the device slept, because browsers stop
   * it then. The server dates the point by the wall clock instead.
   * @param {{boot: string, uptime: number, wall: number}} reading
   * @param {ServerClock} server
   */
  dated(reading, server) {
    const now = this.reading();
    const age = now.wall - reading.wall;
    const isKnown = reading.boot === now.boot && age - (now.uptime - reading.uptime) <= SLEEP_MS;
    return {
      ...(isKnown ? { uptimeMs: reading.uptime * server.rate } : {}),
      recordedAt: new Date(this.#shown(server) - age * server.rate).toISOString(),
    };
  }

  /** Both clocks in the form of a request with points. */
  sending(server) {
    return { uptimeMs: this.uptime() * server.rate, sentAt: new Date(this.#shown(server)).toISOString() };
  }

  /** The wall clock; with a fast development server its clock, if known. */
  #shown(server) {
    return server.rate === 1 ? this.wall() : server.now();
  }
}
