import { h } from './dom.js';
import { KeptFiles } from './keptfiles.js';
import { FileURLs } from './promised.js';

/** The most profile pictures that are held; the least recently shown are read again. */
const MOST = 200;

let files = null;
/** The held pictures by their files, the most recently shown last. */
const held = new Map();

/** Reads profile pictures by this client from now on. @param {PromisedClient} client */
export function readFacesBy(client) {
  const kept = new KeptFiles(client);
  files = new FileURLs((fileId, signal) => kept.read(fileId, signal));
}

/** Releases all pictures: they were read for the previous user. */
export function forgetFaces() {
  for (const { release } of held.values()) release();
  held.clear();
}

/** Puts a user's profile picture over the letters of a disc, once it is read; without one the letters stay. */
export async function putFace(disc, fileId) {
  if (!fileId || !files) return;
  const face = hold(fileId);
  try {
    const src = await face.url;
    if (held.has(fileId)) disc.append(h('img', { src, alt: '' }));
  } catch {
    // The user has another picture by now, or blocks this one; the next disc tries again.
    held.delete(fileId);
  }
}

function hold(fileId) {
  const face = held.get(fileId) ?? files.hold(fileId);
  held.delete(fileId);
  held.set(fileId, face);
  if (held.size > MOST) {
    const [[oldest, { release }]] = held;
    release();
    held.delete(oldest);
  }
  return face;
}
