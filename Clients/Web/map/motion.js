import { nearTo } from '../longitudes.js';

/** A larger distance between two reports is not animated: the marker jumps. */
const JUMP_DEGREES = 0.05;

/**
 * The positions of markers between two reports: each glides from its displayed to its reported position.
 *
 * Time is an argument, in milliseconds, so that nothing here depends on a clock or a screen.
 */
export class Motion {
  #glides = new Map();

  /**
   * Applies a report.
   * @param {string} id
   * @param {[number, number]} to latitude and longitude
   * @param {number} now
   * @param {number} duration how long to glide: about the time until the next report
   */
  aim(id, to, now, duration) {
    const from = this.at(id, now) ?? to;
    if (from[0] === to[0] && from[1] === to[1]) {
      this.#glides.set(id, { from: to, to, start: now, duration: 0 });
      return;
    }
    // Across 180° by the short way.
    const start = [from[0], nearTo(from[1], to[1])];
    const isJump = Math.abs(start[0] - to[0]) + Math.abs(start[1] - to[1]) > JUMP_DEGREES;
    this.#glides.set(id, { from: isJump ? to : start, to, start: now, duration: isJump ? 0 : duration });
  }

  /** The displayed position of a marker; undefined without a report. */
  at(id, now) {
    const glide = this.#glides.get(id);
    if (!glide) return undefined;
    const share = glide.duration ? Math.min(1, (now - glide.start) / glide.duration) : 1;
    const mix = (from, to) => from + (to - from) * share;
    return share >= 1 ? glide.to : [mix(glide.from[0], glide.to[0]), mix(glide.from[1], glide.to[1])];
  }

  /** `true` if any marker moves, so that another frame is needed. */
  isMoving(now) {
    for (const glide of this.#glides.values()) {
      if (glide.duration && now < glide.start + glide.duration) return true;
    }
    return false;
  }

  /** The last reported position of a marker; undefined without a report. */
  target(id) {
    return this.#glides.get(id)?.to;
  }

  forget(id) {
    this.#glides.delete(id);
  }

  get ids() {
    return [...this.#glides.keys()];
  }
}
