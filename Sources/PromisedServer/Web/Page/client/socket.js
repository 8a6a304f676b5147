/** The sub-protocol of JSON in text frames. */
export const SUBPROTOCOL = 'promised.v1.json';

/** How to take the end of a connection (docs/protocol.md#close-codes). */
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
    case 4502:
    case 4503:
      return 'outdated';
    default:
      return code >= 4500 && code <= 4999 ? 'outdated' : 'again';
  }
}

/** The address of the server whose page this is. */
export function pageServer(location = globalThis.location) {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/ws`;
}
