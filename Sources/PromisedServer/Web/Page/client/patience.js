import { PromisedError } from './errors.js';

/** A server that asks for more patience than this is told as a failure, in milliseconds. */
const MOST_MS = 30_000;
/** The wait where the server names none, in milliseconds. */
const DEFAULT_MS = 1000;
/** How often in a row the server may ask for patience. */
const MOST_TIMES = 20;
/** States that no connection follows by itself. */
const OVER = ['signed-out', 'outdated', 'stopped'];

/** Whether a request failed because there is no connection, or no longer one. */
export const isCut = (error) => error.code === 'client.offline' || error.code === 'client.disconnected';

/**
 * Does work until the server decides on it: again after a cut connection, and after each wait that the server asks for.
 * @param {PromisedClient} client
 * @param {() => Promise} work can be done again at any time
 * @param {AbortSignal} [signal] ends the waiting
 * @throws {PromisedError} the refusal; `client.stopped` when nobody is signed in any more
 */
export async function insist(client, work, signal) {
  for (let times = 0; ; times += 1) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (isCut(error)) await online(client, signal);
      else if (error.retry === 'LATER' && times < MOST_TIMES && (error.retryAfterMs || DEFAULT_MS) <= MOST_MS) {
        await pause(error.retryAfterMs || DEFAULT_MS, signal);
      } else throw error;
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
