import { h, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { time } from '../format.js';
import { PromisedViewer } from '../promised.js';
import { has, t } from '../strings.js';
import { scene } from './parts.js';
import { StandingPart } from './standing.js';
import { TimelinePart, sentence } from './timeline.js';
import { Watching } from './watching.js';

/** One promise, watched by link and without an account. */
export class WatchView extends Watching {
  #viewer = null;
  #guest = new GuestPart();
  #forget;

  /**
   * @param {object} app
   * @param {string|null} code the link's code; null if this tab does not have it
   * @param {() => void} forget called when the code has become useless
   */
  constructor(app, code, forget) {
    super(app);
    this.#forget = forget;
    this.root = h('section.meetup', {}, h('p.quiet', {}, t('watch.opening')));
    if (code) this.#watch(code);
    else this.#end('lost');
  }

  get clock() {
    return this.#viewer.clock;
  }

  get me() {
    return null;
  }

  get isGuest() {
    return true;
  }

  leave() {
    super.leave();
    this.#viewer?.close();
    this.app.showConnection(null);
  }

  /** Reconnects: the network is back, or the user asked for it. */
  reconnect() {
    this.#viewer?.reconnect();
  }

  /** Checks the connection: the network may be gone. */
  check() {
    this.#viewer?.check();
  }

  #watch(code) {
    this.#viewer = new PromisedViewer(code);
    this.#viewer.addEventListener('view', ({ detail }) => this.#show(detail));
    this.#viewer.addEventListener('event', ({ detail }) => this.#take(detail));
    this.#viewer.addEventListener('state', ({ detail }) => this.#stateChanged(detail));
    this.#viewer.connect();
  }

  #show({ promise, owner, expiresAt }) {
    const isFirst = this.meetup.promise === null;
    this.meetup.replace(promise, owner);
    if (isFirst) this.compose(this.#guest, new StandingPart(this), new TimelinePart(this));
    this.#guest.update(expiresAt, this.meetup.accepted.length);
    this.draw();
  }

  #take(event) {
    if (event.sessionRevoked || !this.meetup.promise) return;
    const name = this.meetup.apply(event);
    if (name === 'positions') {
      this.drawPositions();
      return;
    }
    const told = sentence(this.meetup, { kind: name, content: event[name] ?? {} });
    if (told) this.app.announce(told);
    this.draw();
  }

  #stateChanged(state) {
    this.app.showConnection(state, { trouble: has('error.' + this.#viewer.reason) ? this.#viewer.reason : null });
    if (state === 'ended') this.#end(this.#viewer.reason);
  }

  /** Removes everything from a promise that may no longer be watched. */
  #end(reason) {
    super.leave();
    this.#forget();
    this.app.clearMap();
    const known = has('watch.end.' + reason) ? reason : 'code.invalid';
    this.root.className = 'entry';
    this.root.replaceChildren(scene(), h('div.welcome', {}, h('h1', {}, t('watch.end')),
      h('p.lead', { role: 'alert' }, t('watch.end.' + known)), h('p', {}, h('a.button', { href: link() }, t('watch.start')))));
  }
}

/** Shows the extent and the end of a guest's view. */
class GuestPart {
  constructor() {
    this.until = h('p');
    this.nobody = h('p.quiet', {}, t('watch.nobody'));
    this.root = h('div.answers.guest', {}, this.until, this.nobody);
  }

  update(expiresAt, people) {
    setText(this.until, t('watch.until', { time: time(expiresAt) }));
    show(this.nobody, people === 0);
  }

  draw() {}
}
