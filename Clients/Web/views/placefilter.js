import { h, setText, show } from '../dom.js';
import { amount, moment } from '../format.js';
import { icon } from '../icons.js';
import { t } from '../strings.js';
import { choice } from './parts.js';

/** Filters of a search: category, region, opening at a time, favourites only. */
export class PlaceFilterPart {
  #app;
  #search;
  #onChange;
  #onRegion;

  /**
   * @param {App} app
   * @param {PlaceSearch} search
   * @param {{onChange: () => void, onRegion: (region: object) => void}} listener a filter has changed; a region was
   *   chosen, which is followed by `onChange`, too
   */
  constructor(app, search, { onChange, onRegion }) {
    this.#app = app;
    this.#search = search;
    this.#onChange = onChange;
    this.#onRegion = onRegion;
    this.summary = h('summary', {}, t('filter'));
    this.categories = h('div.chips', { role: 'group', 'aria-label': t('categories') });
    this.regions = h('div.pair');
    this.times = h('div');
    this.favourites = h('input', { type: 'checkbox', name: 'favourites' });
    this.favourites.addEventListener('change', () => this.#change({ isFavouritesOnly: this.favourites.checked }));
    this.clear = h('button.small', { type: 'button', onclick: () => this.#clear() }, t('filter.clear'));
    this.root = h('details.filter', {}, this.summary, h('div.stack', {}, this.categories, this.times, this.regions,
      h('label.check', {}, this.favourites, t('filter.favourites')), h('div.buttons', {}, this.clear)));
    this.#drawSummary();
  }

  /** Reads the choices from the server. */
  async load() {
    const { client, directory } = this.#app;
    const lists = ['TRACKING', 'UPCOMING'].map((list) => client.call('listPromises', { list, limit: 20 }));
    const [categories, regions, ...promises] = await Promise.all([directory.categories(), directory.regions(), ...lists]);
    this.#drawCategories(categories);
    this.#drawTimes(promises.flatMap((reply) => reply.promises ?? []));
    await this.#drawRegions(regions);
    this.#drawSummary();
  }

  #drawCategories(categories) {
    const chosen = this.#search.categories;
    const shown = categories.filter(({ id, count }) => count > 0 || chosen.has(id));
    this.categories.replaceChildren(...shown.map(({ id, name, icon: key }) => {
      const chip = h('button.small.choice', { type: 'button', 'aria-pressed': String(chosen.has(id)) }, icon(key), name);
      chip.addEventListener('click', () => {
        if (!chosen.delete(id)) chosen.add(id);
        chip.setAttribute('aria-pressed', String(chosen.has(id)));
        this.#change({});
      });
      return chip;
    }));
  }

  #drawTimes(promises) {
    const options = [['', t('filter.any-time')], ['now', t('filter.now')],
      ...promises.map(({ title, meetsAt }) => [meetsAt, t('filter.promise', { title, time: moment(meetsAt) })])];
    this.#select(this.times, t('filter.open'), 'openAt', options, this.#search.openAt, (openAt) => this.#change({ openAt }));
  }

  async #drawRegions(regions) {
    const [first, second] = this.#search.region.split('/');
    const parts = first ? await this.#app.directory.regions(first) : [];
    const named = (list) => list.map(({ code, name, count }) => [code, `${name} (${amount(count ?? 0)})`]);
    const wide = h('div');
    const narrow = h('div', { hidden: parts.length === 0 });
    this.regions.replaceChildren(wide, narrow);
    show(this.regions, regions.length > 0);
    this.#select(wide, t('filter.region'), 'region', [['', t('filter.everywhere')], ...named(regions)], first,
      (code) => this.#choose(code, regions));
    this.#select(narrow, t('filter.part'), 'part', [[first, t('filter.all-parts')], ...named(parts)],
      second ? this.#search.region : first, (code) => this.#choose(code, [...regions, ...parts]));
  }

  #select(parent, label, name, options, value, onChoose) {
    const field = choice(label, name, options);
    const select = field.querySelector('select');
    select.value = value;
    select.addEventListener('change', () => onChoose(select.value));
    parent.replaceChildren(field);
  }

  #choose(code, regions) {
    this.#app.run(null, async () => {
      this.#search.region = code;
      const name = document.activeElement?.name;
      await this.#drawRegions(await this.#app.directory.regions());
      // The used select has been replaced.
      this.regions.querySelector(`[name="${name}"]`)?.focus();
      const region = regions.find((one) => one.code === code);
      if (region) this.#onRegion(region);
      this.#change({});
    });
  }

  #clear() {
    this.#search.clearFilters();
    this.#app.run(this.clear, async () => {
      this.favourites.checked = false;
      await this.load();
      this.#onChange();
    });
  }

  #change(changes) {
    Object.assign(this.#search, changes);
    this.#drawSummary();
    this.#onChange();
  }

  #drawSummary() {
    const count = this.#search.filterCount;
    this.favourites.checked = this.#search.isFavouritesOnly;
    setText(this.summary, count ? t('filter.count', { n: count }) : t('filter'));
    show(this.clear, count > 0);
  }
}
