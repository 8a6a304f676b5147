import { h } from '../dom.js';

/** Browsers start saving asynchronously; the memory is released after this time, in milliseconds. */
const RELEASE_MS = 60_000;

/** Reads a file of the server and hands it to the browser to save. */
export async function save(client, fileId, name) {
  const url = URL.createObjectURL(await client.readFile(fileId));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_MS);
}
