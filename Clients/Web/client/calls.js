import { PromisedError } from './errors.js';

/** The pending requests of one connection. */
export class Calls {
  #next = 1;
  #waiting = new Map();

  /**
   * Makes the frame of a request and a promise of its reply.
   * @param {string} name the request's field, such as `createPromise`
   * @param {object} fields its content
   * @returns {{text: string, reply: Promise<object>}} the reply's content, such as `{promise, overlaps}`
   */
  make(name, fields) {
    const id = this.#next;
    this.#next = (this.#next % 0xffffffff) + 1;
    const reply = new Promise((resolve, reject) => this.#waiting.set(id, { name, resolve, reject }));
    return { text: JSON.stringify({ id, [name]: fields }), reply };
  }

  /** Processes a reply; @returns {PromisedError|null} an error that answers no pending request. */
  take(frame) {
    const waiting = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    const error = frame.error ? new PromisedError(frame.error.code ?? 'server.internal', frame.error) : null;
    if (!waiting) return error;
    if (error) {
      waiting.reject(error);
      return null;
    }
    const { id, ...content } = frame;
    waiting.resolve(Object.values(content)[0] ?? {});
    return null;
  }

  /**
   * Ends all pending requests with the connection.
   * @param {{message: string, field: string}|null} [fault] of a frame that the server could not decode: belongs to the
   *   first pending request, because the server answers in order, or to the request named by the field. The others may
   *   be repeated.
   */
  end(fault = null) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    const name = fault?.field.split('.')[0];
    const faulty = name ? waiting.find((one) => one.name === name) : waiting[0];
    for (const one of waiting) {
      const retry = one === faulty ? 'NEVER' : 'LATER';
      one.reject(fault ? new PromisedError('request.invalid', { ...fault, retry }) : new PromisedError('client.disconnected'));
    }
  }
}
