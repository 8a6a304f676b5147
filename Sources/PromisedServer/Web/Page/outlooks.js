import { Latest } from './client/latest.js';

/**
 * The outlook of a promise or of a place at an instant, kept up to date: a pending one is replaced when the server has
 * the weather.
 */
export class OutlookWatch {
  #client;
  #asking;
  #onChange;
  #subject = null;
  /** The place whose details are known or asked for. */
  #placeId = '';
  /** The latest outlook; null while none is known. */
  outlook = null;
  /** The details of a directory place, whose week tells a day without opening; null while they are unknown. */
  details = null;

  /**
   * @param {PromisedClient} client
   * @param {() => void} onChange `outlook` or `details` has changed
   */
  constructor(client, onChange) {
    this.#client = client;
    this.#onChange = onChange;
    this.#asking = new Latest((subject) => client.call('getOutlook', subject), {
      onReply: (outlook) => this.show(outlook),
      // Without an outlook the page says nothing of hours and weather; what is known outlives a lost connection.
      onError: (error) => error.code?.startsWith('client.') || this.#set(null),
    });
  }

  /**
   * Changes the subject and asks for its outlook.
   * @param {{promiseId: string}|{placeId: string, at?: string}|null} subject null for none
   */
  watch(subject) {
    this.#subject = subject;
    if (subject) return this.#asking.want(subject);
    return this.show(null, null);
  }

  /** Uses an outlook that came with another reply or with an event, instead of asking. */
  show(outlook, subject = this.#subject) {
    this.stop();
    this.#subject = subject;
    this.#set(outlook ?? null);
  }

  /** Reads the details of a place of the directory, unless they are known or asked for. @param {string} [placeId] */
  async know(placeId = '') {
    if (placeId === this.#placeId) return;
    this.#placeId = placeId;
    this.details = null;
    if (!placeId) return;
    try {
      const details = await this.#client.call('getPlace', { placeId });
      if (placeId !== this.#placeId) return;
      this.details = details;
      this.#onChange();
    } catch {
      // Without its week the sentence about a closed place says less; the next outlook asks again.
      this.#placeId = '';
    }
  }

  /** Takes an event of the server that may tell the pending weather. */
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

/** An answer for another instant of the same place is not ours. */
const isSameHour = (one, other) => Math.abs(Date.parse(one) - Date.parse(other)) < 3_600_000;
