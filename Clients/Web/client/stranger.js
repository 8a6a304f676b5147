import { Connection } from './connection.js';
import { PromisedError } from './errors.js';

/**
 * Sends one request that needs no sign-in, on a connection of its own, which then ends.
 * @param {WebSocket} socket
 * @param {string} name such as `checkNickname`
 * @param {object} fields
 * @returns {Promise<object>} the content of the reply
 * @throws {PromisedError} the server's refusal, or `client.offline`
 */
export function askAsStranger(socket, name, fields) {
  return new Promise((resolve, reject) => {
    const connection = new Connection(socket, {
      onOpen: () => connection.ask(name, fields).then(resolve, reject).finally(() => connection.leave()),
      onEvent: () => undefined,
      onEnd: () => reject(new PromisedError('client.offline')),
      // It is over before it could fall silent.
      askForLife: () => Promise.resolve(),
    });
  });
}
