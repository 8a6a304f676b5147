import { PromisedError } from './errors.js';

/** The number of characters per call of `String.fromCharCode`, below the engine's limit of arguments. */
const PIECE = 0x8000;

/** Bytes as Base64, as in the protocol's JSON. @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let text = '';
  for (let start = 0; start < bytes.length; start += PIECE) text += String.fromCharCode(...bytes.subarray(start, start + PIECE));
  return btoa(text);
}

/** The bytes of a Base64 text. @returns {Uint8Array} */
export const fromBase64 = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

/**
 * The SHA-256 of a blob in 64 hexadecimal digits.
 * @throws {PromisedError} `client.insecure`: browsers hash only on pages from HTTPS or localhost
 */
export async function digest(blob) {
  if (!globalThis.crypto?.subtle) throw new PromisedError('client.insecure', { retry: 'NEVER' });
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
