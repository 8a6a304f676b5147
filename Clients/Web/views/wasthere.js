import { h, show } from '../dom.js';
import { link } from '../fragment.js';
import { randomName } from '../promised.js';
import { t } from '../strings.js';
import { small } from './parts.js';

/** The search range for the visit of an arrival around the credited time, in milliseconds. */
const AROUND_MS = 1000;

/** After a meeting: "you were there", with the visit that the server made of it, and the user's own way as a course. */
export class WasTherePart {
  #view;
  #isAsked = false;
  /** The same for every attempt, so that a repeat creates no second course. */
  #key = randomName();
  #link = h('a.button.small.primary', {}, t('was-there.open'));

  constructor(view) {
    this.#view = view;
    this.words = h('p', {}, t('was-there'));
    this.keep = small(t('course.keep'), (button) => this.#keep(button));
    this.root = h('section.was-there', { hidden: true }, this.words, h('div.buttons', {}, this.#link, this.keep));
    this.#update();
  }

  event({ visitMade }) {
    if (visitMade?.visit.promiseId === this.#view.id) this.#show(visitMade.visit);
  }

  draw() {
    this.#update();
    const { meetup, me } = this.#view;
    const row = meetup.result?.rows?.find(({ user }) => user.userId === me);
    if (row?.creditedAt && !this.#isAsked) this.#ask(Date.parse(row.creditedAt));
  }

  /** Makes a course of the user's own way to the place. */
  #keep(button) {
    const { app, id } = this.#view;
    return app.run(button, async () => {
      const { courseId } = await app.client.call('saveCourse', { key: this.#key, promiseId: id });
      app.go('course', courseId);
    });
  }

  /** Requests the visit of a result that was final before the page was loaded. */
  async #ask(creditedAt) {
    this.#isAsked = true;
    try {
      const [from, to] = [creditedAt - AROUND_MS, creditedAt + AROUND_MS].map((instant) => new Date(instant).toISOString());
      const { visits = [] } = await this.#view.app.client.call('listVisits', { from, to, limit: 50 });
      const visit = visits.find(({ promiseId }) => promiseId === this.#view.id);
      if (visit) this.#show(visit);
    } catch {
      // The result is complete without it; the next time it is requested again.
      this.#isAsked = false;
    }
  }

  #show({ visitId }) {
    this.#link.href = link('visit', visitId);
    this.#update();
  }

  /** The visit may be missing: the user may have disabled visits of arrivals, or deleted it. */
  #update() {
    const { mine, status, meetup } = this.#view;
    const hasVisit = this.#link.hasAttribute('href');
    const hasWay = Boolean(meetup.promise) && mine?.membership === 'ACCEPTED' && ['SETTLING', 'FINAL'].includes(status);
    show(this.words, hasVisit);
    show(this.#link, hasVisit);
    show(this.keep, hasWay);
    show(this.root, hasVisit || hasWay);
  }
}
