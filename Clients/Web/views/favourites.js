import { h } from '../dom.js';
import { link } from '../fragment.js';
import { icon } from '../icons.js';
import { randomName } from '../promised.js';
import { t } from '../strings.js';
import { ask, field, small } from './parts.js';
import { placeRow } from './placelist.js';

/** The user's favourites: places of the directory, and places of their own. */
export class FavouritesView {
  #app;
  #favourites = [];
  #cursor = '';
  #onPick = ({ detail }) => {
    const [sign] = detail.signs;
    if (sign?.placeId) this.#app.go('place', sign.placeId);
    else if (!sign) this.#add(detail);
  };

  constructor(app) {
    this.#app = app;
    this.list = h('div', {}, h('p.quiet', {}, t('loading')));
    this.root = h('section', {}, h('a.backlink', { href: link('places') }, '‹ ', t('places')),
      h('div.head', {}, h('h1', {}, t('favourites')), small(t('own-place'), () => this.#add({}))),
      h('p.quiet', {}, t('own-place.hint')), this.list);
    app.map?.addEventListener('pick', this.#onPick);
    document.body.classList.add('picking');
  }

  leave() {
    this.#app.map?.removeEventListener('pick', this.#onPick);
    document.body.classList.remove('picking');
  }

  async online() {
    try {
      await this.#app.directory.categories();
      this.#favourites = [];
      await this.#load('');
    } catch (error) {
      this.#app.fail(error);
    }
  }

  async #load(cursor) {
    const reply = await this.#app.client.call('listFavourites', { limit: 50, ...(cursor && { cursor }) });
    // Another view has the map by now.
    if (!this.root.isConnected) return;
    this.#favourites.push(...(reply.favourites ?? []));
    this.#cursor = reply.cursor ?? '';
    this.#draw();
    if (!cursor) this.#app.map?.fit();
  }

  #draw() {
    const rows = this.#favourites.map((one) => (one.card ? this.#directoryRow(one) : this.#ownRow(one)));
    const more = this.#cursor && small(t('more'), (button) => this.#app.run(button, () => this.#load(this.#cursor)));
    this.list.replaceChildren(rows.length ? h('ul.rows.places', {}, rows) : h('p.empty', {}, t('no-favourites')), more || '');
    this.#app.map?.setSigns(this.#favourites.map(({ favouriteId, place, label, card }) => ({
      id: favouriteId, placeId: card?.placeId, at: [place.latitude ?? 0, place.longitude ?? 0], name: label || place.name,
      icon: card ? this.#app.directory.icon(card.categories?.[0]) : 'heart', opening: card?.opening, line: '',
    })));
  }

  #directoryRow({ favouriteId, label, card }) {
    const row = placeRow(this.#app.directory, this.#meet(['place', card.placeId], card.place.name, card.removed),
      this.#remove(favouriteId, card.place.name));
    // In this list the favourite mark would be redundant.
    const shown = { ...card, favouriteId: '', place: { ...card.place, name: label || card.place.name } };
    row.update({ card: shown, at: this.#app.client.clock.now() });
    return row.root;
  }

  #ownRow({ favouriteId, label, place }) {
    const name = label || place.name;
    return h('li.row.place', {}, h('span.mark', {}, icon('heart')),
      h('span.grow', {}, h('strong', {}, name), place.address && h('span.quiet', {}, place.address)),
      this.#meet(['favourite', favouriteId], name), this.#remove(favouriteId, name));
  }

  #meet(subject, name, isRemoved = false) {
    const words = { href: link('new', ...subject), 'aria-label': `${t('meet-here')}: ${name}` };
    return !isRemoved && h('a.button.small', words, t('meet-here'));
  }

  #remove(favouriteId, name) {
    return small(t('favourite.remove'), (button) => this.#app.run(button, async () => {
      await this.#app.client.call('removeFavourite', { favouriteId });
      this.#favourites = this.#favourites.filter((one) => one.favouriteId !== favouriteId);
      this.#draw();
      this.#app.announce(t('favourite.removed', { name }));
    }), { kind: 'plain', name: t('favourite.remove-name', { name }) });
  }

  /** Opens a dialog for one of the user's own places; a click on the map gives its position. */
  async #add({ latitude, longitude }) {
    const degrees = (name, most, value) => field(t(name), {
      name, min: -most, max: most, type: 'number', step: 'any', required: true, inputmode: 'decimal', value: value?.toFixed(6) ?? '',
    });
    const content = [
      field(t('place-name'), { name: 'name', required: true, maxlength: 100 }),
      field(t('address'), { name: 'address', maxlength: 200 }),
      h('div.pair', {}, degrees('latitude', 90, latitude), degrees('longitude', 180, longitude)),
      field(t('favourite.label'), { name: 'label', maxlength: 40 }),
    ];
    const data = await ask({ title: t('own-place'), content, confirm: t('save') });
    if (!data) return;
    const [name, address, label] = ['name', 'address', 'label'].map((key) => data.get(key).trim());
    const place = { name, address, latitude: Number(data.get('latitude')), longitude: Number(data.get('longitude')) };
    await this.#app.run(null, async () => {
      await this.#app.client.call('addFavourite', { key: randomName(), place, label });
      this.#favourites = [];
      await this.#load('');
    });
  }
}
