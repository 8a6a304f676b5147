import { forgetColours, tellApart } from '../colours.js';
import { Meetup } from '../meetup.js';
import { HeadPart } from './head.js';
import { PicturePart } from './picture.js';

/** The least time between two drawings of positions, which are drawn together. */
const DRAW_MS = 300;
/** The interval of the countdown. */
const TICK_MS = 250;

/**
 * The common part of all views of one promise: a model, its parts in the panel, the map, and the clock.
 *
 * A view gives `root`, `clock` (the server's), `me` (the user's id, or null) and `isGuest`.
 */
export class Watching {
  meetup = new Meetup();
  selected = null;
  #app;
  #head = null;
  #picture = new PicturePart(this);
  #parts = [];
  #timer;
  #drawing = null;
  #onPick = ({ detail }) => this.select(detail.personId ?? null, { isFromMap: true });

  constructor(app) {
    this.#app = app;
    app.map?.addEventListener('pick', this.#onPick);
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** The page of this view. */
  get app() {
    return this.#app;
  }

  /** The map; null without one. */
  get map() {
    return this.#app.map;
  }

  get status() {
    return this.meetup.status(this.clock.now());
  }

  leave() {
    forgetColours();
    clearInterval(this.#timer);
    clearTimeout(this.#drawing);
    this.#app.map?.removeEventListener('pick', this.#onPick);
    this.#parts.forEach((part) => part.leave?.());
    this.#parts = [];
    this.#head = null;
  }

  /** Chooses a person; null for none. */
  select(userId, { isFromMap = false } = {}) {
    this.selected = userId;
    if (userId && !isFromMap) this.#app.map?.focusPerson(userId);
    this.draw();
  }

  /** Replaces the content by the head and these parts, in this order. */
  compose(...parts) {
    this.#parts.forEach((part) => part.leave?.());
    this.#parts = parts;
    this.#head = new HeadPart(this);
    this.root.replaceChildren(this.#head.root, ...parts.map((part) => part.root));
  }

  draw() {
    clearTimeout(this.#drawing);
    this.#drawing = null;
    if (!this.meetup.promise || !this.#head) return;
    tellApart(this.meetup.people.keys());
    this.root.dataset.status = this.status;
    this.#head.draw();
    for (const part of this.#parts) part.draw();
    this.#picture.draw();
  }

  /** Draws positions soon, together with those that arrive until then. */
  drawPositions() {
    this.#picture.positionsCame();
    this.#drawing ??= setTimeout(() => this.draw(), DRAW_MS);
  }

  /** The clock may pass a boundary before its event arrives. */
  #tick() {
    if (!this.#head || !this.meetup.promise) return;
    if (this.#head.tick()) this.draw();
    this.#parts.forEach((part) => part.tick?.());
  }
}
