import { h, mark, show } from '../dom.js';
import { distance } from '../format.js';
import { Locator, canLocate } from '../locator.js';
import { t } from '../strings.js';
import { ask, choice, small } from './parts.js';

const RADII = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000];
/** The key under which this tab stores the user's consent to send their position for searches. */
const AGREED = 'promised.nearby';

/** The search around the user's position, which leaves the browser only after their consent. */
export class NearbyPart {
  #app;
  #search;
  #onChange;

  /**
   * @param {App} app
   * @param {PlaceSearch} search
   * @param {() => void} onChange the position or the radius has changed
   */
  constructor(app, search, onChange) {
    this.#app = app;
    this.#search = search;
    this.#onChange = onChange;
    this.button = small(t('nearby'), (button) => this.#toggle(button), { kind: 'choice' });
    this.radius = choice(t('nearby.radius'), 'radius', RADII.map((metres) => [metres, distance(metres)]));
    const select = this.radius.querySelector('select');
    select.value = String(search.radiusMetres);
    select.addEventListener('change', () => this.#change({ radiusMetres: Number(select.value) }));
    this.draw();
  }

  /** Draws the button, and the circle on the map. */
  draw() {
    const { here, radiusMetres } = this.#search;
    mark(this.button, 'aria-pressed', String(here !== null));
    show(this.radius, here !== null);
    this.#app.map?.setPlace(here && { ...here, radiusMetres });
  }

  #toggle(button) {
    this.#app.run(button, async () => {
      if (this.#search.here) return this.#change({ here: null });
      const here = (await this.#agree()) && (await this.#locate());
      return here && this.#change({ here });
    });
  }

  #change(changes) {
    Object.assign(this.#search, changes);
    this.draw();
    if (this.#search.here) {
      // Shows only the circle, not the earlier results.
      this.#app.map?.setSigns([]);
      this.#app.map?.fit();
    }
    this.#onChange();
  }

  async #agree() {
    if (sessionStorage.getItem(AGREED)) return true;
    const agreed = await ask({ title: t('nearby.title'), content: [h('p', {}, t('nearby.text'))], confirm: t('nearby.yes') });
    if (agreed) sessionStorage.setItem(AGREED, 'yes');
    return agreed !== null;
  }

  async #locate() {
    const locator = new Locator();
    try {
      const { latitude, longitude } = await locator.locate();
      return { latitude, longitude };
    } catch ({ cause }) {
      const denied = canLocate() ? 'share.denied' : 'share.insecure';
      this.#app.say(t(cause === 'PERMISSION' ? denied : 'share.unavailable'), { isUrgent: true });
      return null;
    } finally {
      locator.stop();
    }
  }
}
