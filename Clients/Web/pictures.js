import { h } from './dom.js';
import { KeptFiles } from './keptfiles.js';
import { FileURLs } from './promised.js';

/** Pictures begin to load at this distance from the visible part. */
const MARGIN = '300px';

/** The photos of a view: each is read when it becomes visible, and released with the view. */
export class Pictures {
  #urls;
  #waiting = new Map();
  #held = new Map();
  #observer = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: MARGIN });

  /** @param {PromisedClient} client */
  constructor(client) {
    const kept = new KeptFiles(client);
    this.#urls = new FileURLs((fileId, signal) => kept.read(fileId, signal));
  }

  /** The number of files that are held. */
  get count() {
    return this.#urls.count;
  }

  /** An image of a stored file. @param {object} file a `StoredFile` @param {string} alt what it shows, in words */
  image(file, alt) {
    const { width, height } = uprightSize(file);
    const image = h('img.photo', { alt, width: width || null, height: height || null, 'data-state': 'waiting' });
    this.#waiting.set(image, file.fileId);
    this.#observer.observe(image);
    return image;
  }

  /** Releases pictures that are no longer in the page. */
  sweep() {
    for (const image of [...this.#waiting.keys(), ...this.#held.keys()]) if (!image.isConnected) this.#drop(image);
  }

  leave() {
    this.#observer.disconnect();
    for (const image of [...this.#waiting.keys(), ...this.#held.keys()]) this.#drop(image);
  }

  #seen(entries) {
    for (const { target, isIntersecting } of entries) if (isIntersecting && this.#waiting.has(target)) this.#load(target);
  }

  async #load(image) {
    this.#observer.unobserve(image);
    const held = this.#urls.hold(this.#waiting.get(image));
    this.#waiting.delete(image);
    this.#held.set(image, held);
    try {
      image.src = await held.url;
      image.dataset.state = 'shown';
    } catch {
      // The alternative text stays; the file, or the view, may have been removed.
      image.dataset.state = 'missing';
    }
  }

  #drop(image) {
    this.#observer.unobserve(image);
    this.#waiting.delete(image);
    this.#held.get(image)?.release();
    this.#held.delete(image);
  }
}

/** The displayed size of a photo: orientations from 5 on swap width and height. */
export const uprightSize = ({ width = 0, height = 0, orientation = 0 }) =>
  (orientation >= 5 ? { width: height, height: width } : { width, height });
