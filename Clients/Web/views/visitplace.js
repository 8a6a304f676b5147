import { h, mark, show } from '../dom.js';
import { link } from '../fragment.js';
import { coordinate } from '../format.js';
import { Locator, canLocate } from '../locator.js';
import { t } from '../strings.js';
import { field } from './parts.js';

const NAMES = ['name', 'address', 'latitude', 'longitude'];

/** The place of a visit: one of the directory, or a point with a name. */
export class VisitPlacePart {
  #app;
  #placeId = '';
  #card = h('a', {}, t('about-place'));
  #sign = h('p.chosen', { hidden: true }, t('from-directory'), ' ', this.#card);

  constructor(app) {
    this.#app = app;
    const degrees = (name, most) => field(t(name), {
      name, min: -most, max: most, type: 'number', step: 'any', required: true, inputmode: 'decimal',
    });
    this.root = h('fieldset', { oninput: () => this.#typed() }, h('legend', {}, t('place')),
      h('p.quiet', {}, t('visit.place-hint'), ' ', h('a', { href: link('places') }, t('choose-place'))), this.#sign,
      field(t('place-name'), { name: 'name', required: true, maxlength: 100, autocomplete: 'off' }),
      field(t('address'), { name: 'address', maxlength: 200, autocomplete: 'off' }),
      h('div.pair', {}, degrees('latitude', 90), degrees('longitude', 180)),
      canLocate() && h('button.small', { type: 'button', onclick: ({ target }) => this.#here(target) }, t('use-my-place')));
  }

  /** Sets a place, with its id if it is of the directory. */
  choose(place) {
    const { name = '', address = '', latitude = 0, longitude = 0, placeId = '' } = place;
    const values = { name, address, latitude, longitude };
    for (const key of NAMES) this.#input(key).value = values[key];
    this.#setPlaceId(placeId);
    this.#preview();
  }

  /** Sets a point, such as one of the map; an existing name stays. */
  pick(latitude, longitude) {
    this.#input('latitude').value = latitude.toFixed(6);
    this.#input('longitude').value = longitude.toFixed(6);
    this.#setPlaceId('');
    this.#preview();
    this.#app.announce(coordinate(latitude, longitude));
  }

  /** The place in the form of requests. */
  get place() {
    const [name, address] = ['name', 'address'].map((key) => this.#input(key).value.trim());
    const [latitude, longitude] = this.#point;
    return { name, address, latitude, longitude, ...(this.#placeId && { placeId: this.#placeId }) };
  }

  get #point() {
    return ['latitude', 'longitude'].map((key) => this.#input(key).valueAsNumber);
  }

  #input(name) {
    return this.root.querySelector(`[name=${name}]`);
  }

  #setPlaceId(placeId) {
    this.#placeId = placeId;
    show(this.#sign, placeId !== '');
    if (placeId) mark(this.#card, 'href', link('place', placeId));
  }

  #typed() {
    this.#setPlaceId('');
    this.#preview();
  }

  #preview() {
    const [latitude, longitude] = this.#point;
    if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) return;
    this.#app.map?.setPins([{ latitude, longitude, title: this.#input('name').value }]);
    this.#app.map?.focus(latitude, longitude);
  }

  #here(button) {
    this.#app.run(button, async () => {
      const locator = new Locator();
      try {
        const { latitude, longitude } = await locator.locate();
        this.pick(latitude, longitude);
      } catch ({ cause }) {
        this.#app.say(t(cause === 'PERMISSION' ? 'share.denied' : 'share.unavailable'), { isUrgent: true });
      } finally {
        locator.stop();
      }
    });
  }
}
