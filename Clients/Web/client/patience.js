import { PromisedError } from './errors.js';

/** A requested wait longer than this counts as a failure, in milliseconds. */
const MOST_MS = 30_000;
/** The wait if the server names none, in milliseconds. */
const DEFAULT_MS = 1000;
/** The most consecutive waits for one request. */
const MOST_TIMES = 20;
/** States without an automatic connection. */
const OVER = ['signed-out', 'outdated', 'stopped'];

/** `true` if a request failed for lack of a connection. */
export const isCut = (error) => error.code === 'client.offline' || error.code === 'client.disconnected';

/**
 * Repeats a request until the server decides on it: after a cut connection, and after each wait that the server asks
 * for.
 * @param {PromisedClient} client
 * @param {() => Promise} request idempotent
 * @param {AbortSignal} [signal] ends the waiting
 * @throws {PromisedError} the refusal; `client.stopped` after a sign-out
 */
export const insist = (client, request, signal) => overCuts(client, () => patiently(request, signal), signal);

/** Repeats work after each cut connection, with the arguments and errors of {@link insist}. */
export async function overCuts(client, work, signal) {
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (!isCut(error)) throw error;
      await online(client, signal);
    }
  }
}

/**
 * Sends one request, again after each wait that the server asks for.
 * @param {() => Promise} request
 * @param {AbortSignal} [signal] ends the waiting
 * @throws {PromisedError} the refusal, also after too many waits; `client.offline`, `client.disconnected`
 */
export async function patiently(request, signal) {
  for (let times = 0; ; times += 1) {
    signal?.throwIfAborted();
    try {
      return await request();
    } catch (error) {
      const waitMs = error.retryAfterMs || DEFAULT_MS;
      if (isCut(error) || error.retry !== 'LATER' || times >= MOST_TIMES || waitMs > MOST_MS) throw error;
      await pause(waitMs, signal);
    }
  }
}

/** Waits until the client is online. */
export function online(client, signal) {
  return new Promise((resolve, reject) => {
    const end = (settle, value) => {
      client.removeEventListener('state', look);
      signal?.removeEventListener('abort', stop);
      settle(value);
    };
    const look = () => {
      if (client.state === 'online') end(resolve);
      else if (OVER.includes(client.state)) end(reject, new PromisedError('client.stopped'));
    };
    const stop = () => end(reject, signal.reason);
    client.addEventListener('state', look);
    signal?.addEventListener('abort', stop);
    look();
  });
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
