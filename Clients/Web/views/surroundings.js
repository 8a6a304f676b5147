import { h, mark, setText, show } from '../dom.js';
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
  #outlook = new OutlookPart();
  #line = h('span.quiet');
  #status = null;
  #card = h('a.button.small', { hidden: true }, t('about-place'));

  constructor(view) {
    this.#view = view;
    this.#watch = new OutlookWatch(view.app.client, () => this.#changed());
    const pass = small(t('share'), (button) => share(view.app, button, { promiseId: view.id }));
    this.fold = h('details.fold', { hidden: true }, h('summary', {}, h('span', {}, h('strong', {}, t('outlook.then')), ' ', this.#line)), this.#outlook.root);
    this.root = h('div.surroundings', {}, this.fold, h('div.buttons', {}, this.#card, pass));
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

  /** The link to the place's card; the outlook is drawn when it changes, and folds away when people are on the way. */
  draw() {
    const { status } = this.#view;
    if (status !== this.#status) this.fold.open = status === 'SCHEDULED';
    this.#status = status;
    const { placeId } = this.#view.meetup.promise.place ?? {};
    show(this.#card, Boolean(placeId));
    if (placeId) mark(this.#card, 'href', link('place', placeId));
  }

  #changed() {
    const { outlook, isClosedAllDay } = this.#watch;
    this.#outlook.draw(outlook, isClosedAllDay);
    show(this.fold, !this.#outlook.root.hidden);
    setText(this.#line, this.#outlook.line);
    if (outlook?.opening === 'CLOSED') this.#watch.know(this.#view.meetup.promise.place?.placeId);
  }
}
