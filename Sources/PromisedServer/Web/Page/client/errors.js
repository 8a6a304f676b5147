/**
 * A request that was refused, or that could not be made.
 *
 * `code` is stable: one of the protocol's error codes (`promise.not-found` …), or one of this client's own:
 * `client.offline` (there is no signed-in connection), `client.disconnected` (the connection ended before the reply:
 * whether the request was carried out is unknown), `client.stopped` (the client was closed) and `client.unsupported`
 * (this browser or runtime lacks something that its message names).
 */
export class PromisedError extends Error {
  /**
   * @param {string} code
   * @param {{message?: string, retry?: 'NEVER'|'LATER'|'AFTER_REJOIN', retryAfterMs?: number, field?: string}} [reply]
   */
  constructor(code, reply = {}) {
    super(reply.message || code);
    this.name = 'PromisedError';
    this.code = code;
    /** Whether trying again can help. */
    this.retry = reply.retry ?? (code.startsWith('client.') ? 'LATER' : 'NEVER');
    /** How long to wait first, in milliseconds; 0 when the server did not say. */
    this.retryAfterMs = reply.retryAfterMs ?? 0;
    /** The field of the request that was wrong; empty for none. */
    this.field = reply.field ?? '';
  }
}

/**
 * Something that browsers have and other runtimes may not.
 * @param {string} name of a global
 * @param {string} instead what helps where there is none
 * @throws {PromisedError} `client.unsupported`
 */
export function needed(name, instead) {
  if (globalThis[name] !== undefined) return globalThis[name];
  throw new PromisedError('client.unsupported', { message: `There is no ${name} here: use ${instead}.`, retry: 'NEVER' });
}
