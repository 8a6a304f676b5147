/**
 * A request that was refused, or that could not be sent.
 *
 * `code` is stable: one of the protocol's error codes (`promise.not-found` …), or one of this client's own:
 * `client.offline` (there is no signed-in connection), `client.disconnected` (the connection ended before the reply: it
 * is unknown whether the request was executed), `client.stopped` (the client was closed) and `client.unsupported` (the
 * message names a missing feature of this browser or runtime).
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
    /** Whether a retry can succeed. */
    this.retry = reply.retry ?? (code.startsWith('client.') ? 'LATER' : 'NEVER');
    /** How long to wait first, in milliseconds; 0 if unknown. */
    this.retryAfterMs = reply.retryAfterMs ?? 0;
    /** The faulty field of the request; empty for none. */
    this.field = reply.field ?? '';
  }
}

/**
 * A feature of browsers that other runtimes may lack.
 * @param {string} name of a global
 * @param {string} instead the alternative without it
 * @throws {PromisedError} `client.unsupported`
 */
export function needed(name, instead) {
  if (globalThis[name] !== undefined) return globalThis[name];
  throw new PromisedError('client.unsupported', { message: `There is no ${name} here: use ${instead}.`, retry: 'NEVER' });
}
