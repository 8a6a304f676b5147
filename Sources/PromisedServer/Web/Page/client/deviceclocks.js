import { randomName } from './credentials.js';

/** Names this load of the page: `performance.now()` starts over with each. */
const BOOT = randomName();
/** A monotonic clock that lost more than this against the wall clock stood still while the device slept, in milliseconds. */
const SLEEP_MS = 5000;

/** Both clocks of this device, in milliseconds of real time. */
export class DeviceClocks {
  /** The name of this load of the page. */
  boot = BOOT;
  /** The monotonic clock. */
  uptime = () => performance.now();
  /** The wall clock, since 1970. */
  wall = () => Date.now();

  /** The readings of both clocks some milliseconds ago. */
  reading(ageMs = 0) {
    return { boot: this.boot, uptime: this.uptime() - ageMs, wall: this.wall() - ageMs };
  }

  /**
   * The clocks of a point in the protocol's form, as of now.
   *
   * The monotonic clock is left out where it says nothing: after a reload, and after the device slept, for browsers stop
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

  /** Both clocks as a request with points says them. */
  sending(server) {
    return { uptimeMs: this.uptime() * server.rate, sentAt: new Date(this.#shown(server)).toISOString() };
  }

  /** The wall clock; that of a development server, as far as it is known, where it runs fast. */
  #shown(server) {
    return server.rate === 1 ? this.wall() : server.now();
  }
}
