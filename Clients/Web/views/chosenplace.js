import { h, mark, show } from '../dom.js';
import { link } from '../fragment.js';
import { OutlookWatch } from '../outlooks.js';
import { t } from '../strings.js';
import { OutlookPart } from './outlook.js';

/** The directory's place in the editor of a promise, if any, with hours and weather at the meeting time. */
export class ChosenPlacePart {
  #watch;
  #outlook = new OutlookPart();
  #card = h('a', {}, t('about-place'));
  #sign = h('p.chosen', { hidden: true }, t('from-directory'), ' ', this.#card);
  #placeId = '';
  #at = null;

  /** @param {PromisedClient} client */
  constructor(client) {
    this.#watch = new OutlookWatch(client, () => this.#changed());
    this.root = h('div.stack', { 'aria-live': 'polite' }, this.#sign, this.#outlook.root);
  }

  leave() {
    this.#watch.stop();
  }

  event(event) {
    this.#watch.event(event);
  }

  /** The id of the place; empty for one outside the directory, or changed by hand. */
  get placeId() {
    return this.#placeId;
  }

  choose(placeId) {
    if (placeId === this.#placeId) return;
    this.#placeId = placeId;
    show(this.#sign, placeId !== '');
    if (placeId) mark(this.#card, 'href', link('place', placeId));
    this.#look();
  }

  /** The meeting time, in milliseconds since 1970; NaN without one. */
  set at(instant) {
    if (Object.is(instant, this.#at)) return;
    this.#at = instant;
    this.#look();
  }

  #look() {
    const isKnown = this.#placeId !== '' && Number.isFinite(this.#at);
    this.#watch.watch(isKnown ? { placeId: this.#placeId, at: new Date(this.#at).toISOString() } : null);
  }

  #changed() {
    const { outlook, isClosedAllDay } = this.#watch;
    this.#outlook.draw(outlook, isClosedAllDay);
    if (outlook?.opening === 'CLOSED') this.#watch.know(this.#placeId);
  }
}
