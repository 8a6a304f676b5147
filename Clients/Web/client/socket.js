import { needed } from './errors.js';

/** The sub-protocol of JSON in text frames. */
export const SUBPROTOCOL = 'promised.v1.json';

/** The close code after a frame that the server could not decode. */
const MALFORMED = 4502;

/** The reaction to the end of a connection (docs/reference.md#close-codes). */
export function afterClose(code) {
  switch (code) {
    case 4500:
      return 'refresh';
    case 4501:
    case 4505:
      return 'signed-out';
    case 4504:
    case 4506:
      return 'replaced';
    case MALFORMED:
      return 'malformed';
    case 4503:
      return 'outdated';
    default:
      return code >= 4500 && code <= 4999 ? 'outdated' : 'again';
  }
}

/**
 * The fault of a frame that the server could not decode, from the reason of the close: a sentence, and for JSON the
 * field.
 * @returns {{message: string, field: string}|null} null after any other close
 */
export function faultOf(code, reason = '') {
  if (code !== MALFORMED) return null;
  return { message: reason || 'The server could not decode a frame.', field: /: ([\w.[\]]+)$/.exec(reason)?.[1] ?? '' };
}

/**
 * Makes WebSockets.
 * @throws {PromisedError} `client.unsupported` if there are none, as in Node.js before 22
 */
export function socketMaker() {
  needed('WebSocket', 'Node.js 22 or newer, or the option `open` with another implementation');
  return (url, protocol) => new WebSocket(url, protocol);
}

/**
 * The address of the server of this page.
 * @throws {PromisedError} `client.unsupported` outside a page
 */
export function pageServer(location = globalThis.location) {
  if (!location?.host) needed('location', 'the option `url`, such as wss://meet.example/ws');
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/ws`;
}
