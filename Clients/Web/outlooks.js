import { Latest } from './client/latest.js';
import { dawnOf, isClosedAllDay } from './opening.js';

/**
 * The outlook of a promise or of a place at an instant, kept up to date: a pending one is replaced when the server has
 * the weather.
 */
export class OutlookWatch {
  #client;
  #asking;
  #onChange;
  #subject = null;
  /** The place of the details and the dawn. */
  #placeId = '';
  /** The details of a directory place, whose week shows closed days; null if unknown. */
  #details = null;
  /** The outlook of the first instant of a day outside the week; null if unknown. */
  #dawn = null;
  /** The latest request about the day. */
  #asked = '';
  /** The latest outlook; null if unknown. */
  outlook = null;

  /**
   * @param {PromisedClient} client
   * @param {() => void} onChange `outlook` or `isClosedAllDay` has changed
   */
  constructor(client, onChange) {
    this.#client = client;
    this.#onChange = onChange;
    this.#asking = new Latest((subject) => client.call('getOutlook', subject), {
      onReply: (outlook) => this.show(outlook),
      // Without an outlook the page shows no hours or weather; a known one survives a lost connection.
      onError: (error) => error.code?.startsWith('client.') || this.#set(null),
    });
  }

  /**
   * Changes the subject and requests its outlook.
   * @param {{promiseId: string}|{placeId: string, at?: string}|null} subject null for none
   */
  watch(subject) {
    this.#subject = subject;
    if (subject) return this.#asking.want(subject);
    return this.show(null, null);
  }

  /** Uses an outlook from another reply or from an event, without a request. */
  show(outlook, subject = this.#subject) {
    this.stop();
    this.#subject = subject;
    this.#set(outlook ?? null);
  }

  /** `true` if the place of {@link know} does not open on the day of the outlook; false if unknown. */
  get isClosedAllDay() {
    return this.outlook !== null && isClosedAllDay(this.outlook, this.#details, this.#dawn);
  }

  /**
   * Determines whether a place of the directory opens on the day of the outlook, unless that is known or requested: by
   * the week of its details, and beyond it by the outlook of the day's first instant.
   * @param {string} [placeId]
   */
  async know(placeId = '') {
    if (placeId !== this.#placeId) [this.#placeId, this.#details, this.#dawn, this.#asked] = [placeId, null, null, ''];
    const at = this.#details && this.outlook ? dawnOf(this.outlook, this.#details) : null;
    if (!placeId || (this.#details && !at)) return;
    const [name, fields] = at ? ['getOutlook', { placeId, at }] : ['getPlace', { placeId }];
    const question = JSON.stringify([name, fields]);
    if (question === this.#asked) return;
    this.#asked = question;
    try {
      const reply = await this.#client.call(name, fields);
      if (question !== this.#asked) return;
      if (at) this.#dawn = reply;
      else this.#details = reply;
      this.#onChange();
    } catch {
      // Without an answer the sentence about a closed place has less detail; the next outlook asks again.
      if (question === this.#asked) this.#asked = '';
    }
  }

  /** Applies an event of the server that may contain the pending weather. */
  event({ outlookReady }) {
    const { promiseId, placeId, outlook } = outlookReady ?? {};
    const subject = this.#subject;
    if (!outlook || !subject) return;
    const isOurs = promiseId ? promiseId === subject.promiseId : placeId === subject.placeId && isSameHour(outlook.at, this.outlook?.at);
    if (isOurs) this.show(outlook);
  }

  stop() {
    this.#asking.stop();
  }

  #set(outlook) {
    this.outlook = outlook;
    this.#onChange();
  }
}

/** Distinguishes an answer for another instant of the same place. */
const isSameHour = (one, other) => Math.abs(Date.parse(one) - Date.parse(other)) < 3_600_000;
