import { h, mark, show } from '../dom.js';
import { link } from '../fragment.js';
import { OutlookWatch } from '../outlooks.js';
import { t } from '../strings.js';
import { OutlookPart } from './outlook.js';
import { small } from './parts.js';
import { share } from './share.js';

/** Hours and weather of a promise's place at the meeting time, the link to its card, and sharing the promise. */
export class SurroundingsPart {
  #view;
  #watch;
  #outlook = new OutlookPart(t('outlook.then'));
  #card = h('a.button.small', { hidden: true }, t('about-place'));

  constructor(view) {
    this.#view = view;
    this.#watch = new OutlookWatch(view.app.client, () => this.#changed());
    const pass = small(t('share'), (button) => share(view.app, button, { promiseId: view.id }));
    this.root = h('div.surroundings', {}, this.#outlook.root, h('div.buttons', {}, this.#card, pass));
  }

  leave() {
    this.#watch.stop();
  }

  /** Shows the outlook of a `promise` reply. */
  show(outlook) {
    this.#watch.show(outlook, { promiseId: this.#view.id });
  }

  event(event) {
    if (event.weatherChanged) this.#watch.show(event.weatherChanged.outlook);
    // Another place or another time has another outlook.
    if (event.edited) this.#watch.watch({ promiseId: this.#view.id });
    this.#watch.event(event);
  }

  /** The link to the place's card; the outlook is drawn when it changes. */
  draw() {
    const { placeId } = this.#view.meetup.promise.place ?? {};
    show(this.#card, Boolean(placeId));
    if (placeId) mark(this.#card, 'href', link('place', placeId));
  }

  #changed() {
    const { outlook, isClosedAllDay } = this.#watch;
    this.#outlook.draw(outlook, isClosedAllDay);
    if (outlook?.opening === 'CLOSED') this.#watch.know(this.#view.meetup.promise.place?.placeId);
  }
}
