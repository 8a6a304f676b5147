import { h, keep, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { allPages } from '../pages.js';
import { Pictures } from '../pictures.js';
import { Latest } from '../promised.js';
import { explain, has, t } from '../strings.js';
import { KINDS, byDay, dayHeading, listRequest } from '../visits.js';
import { journalTabs } from './journal.js';
import { choice, field, nameOf, small } from './parts.js';
import { visitRow } from './visitrow.js';

/** Visits by day: the user's own, those at one place, or those shared by a friend. */
export class VisitsView {
  #app;
  #pictures;
  #asking;
  #wishes;
  /** Null until the first reply. */
  #visits = null;
  #cursor = '';
  #onPick = ({ detail }) => this.#picked(detail);

  /**
   * @param {{userId?: string, placeId?: string}} [subject] a friend, or a place of the directory; none: all of the
   *   user's own
   */
  constructor(app, { userId = '', placeId = '' } = {}) {
    this.#app = app;
    this.#wishes = { userId, placeId };
    this.#pictures = new Pictures(app.client);
    this.#asking = new Latest((fields) => app.client.call('listVisits', fields), {
      onReply: (reply) => this.#take(reply), onError: (error) => this.#failed(error),
    });
    this.#compose();
    app.map?.addEventListener('pick', this.#onPick);
    document.body.classList.add('picking');
  }

  leave() {
    this.#asking.stop();
    this.#pictures.leave();
    this.#app.map?.removeEventListener('pick', this.#onPick);
    document.body.classList.remove('picking');
  }

  async online() {
    try {
      await this.#app.directory.categories();
      this.#asking.wantNow(listRequest(this.#wishes));
      await Promise.all([this.#loadPeople(), this.#loadFilters()]);
    } catch (error) {
      this.#app.fail(error);
    }
  }

  event({ visitMade }) {
    if (visitMade && !this.#wishes.userId) this.#asking.wantNow(listRequest(this.#wishes));
  }

  get #isMine() {
    return this.#wishes.userId === '';
  }

  #compose() {
    this.status = h('p.quiet', { role: 'status' }, t('loading'));
    this.list = h('div.days');
    this.more = small(t('more'), (button) => this.#more(button));
    show(this.more, false);
    const wish = (event) => this.#wish(event.target);
    this.form = h('form.stack', { role: 'search', onsubmit: (event) => event.preventDefault(), oninput: wish },
      this.#people(),
      field(t('visits.search'), { type: 'search', name: 'text', maxlength: 60, autocomplete: 'off' }),
      h('details.filter', {}, h('summary', {}, t('filter')), h('div.stack', {},
        choice(t('visit.kind'), 'kind', [['', t('all')], ...KINDS.map((kind) => [kind, t('visit.kind.' + kind)])]),
        choice(t('categories'), 'category', [['', t('all')]]), choice(t('filter.region'), 'region', [['', t('filter.everywhere')]]))));
    const add = { href: this.#wishes.placeId ? link('visits', 'new', 'place', this.#wishes.placeId) : link('visits', 'new') };
    this.root = h('section.visits', {}, journalTabs('visits'),
      h('div.head', {}, h('h1', {}, t('visits')), this.#isMine && h('a.button.primary', add, t('visit.add'))),
      this.#wishes.placeId && h('p', {}, h('a', { href: link('place', this.#wishes.placeId) }, t('about-place'))),
      this.form, this.status, this.list, this.more, this.#isMine && this.#app.map && h('p.quiet', {}, t('visit.pick-hint')));
  }

  /** The owner of the visits: the user or a friend. */
  #people() {
    const box = choice(t('visits.whose'), 'userId', [['', t('visits.mine')]]);
    box.querySelector('select').addEventListener('change', ({ target }) =>
      this.#app.go(...(target.value ? ['visits', 'of', target.value] : ['visits'])));
    return box;
  }

  async #loadPeople() {
    const friends = await allPages(this.#app.client, 'listFriends', 'users');
    const select = this.form.elements.userId;
    fill(select, friends.map((user) => [user.userId, nameOf(user)]));
    show(select.parentElement, friends.length > 0 || !this.#isMine);
    select.value = this.#wishes.userId;
    // The name of a former friend is unknown.
    if (select.selectedIndex < 0) select.value = '';
  }

  /** The categories and regions of the user's own visits. */
  async #loadFilters() {
    const [category, region] = ['category', 'region'].map((name) => this.form.elements[name]);
    if (!this.#isMine) return [category, region].forEach((select) => show(select.parentElement, false));
    const { categories = [], regions = [] } = await this.#app.client.call('getVisitStatistics', {});
    fill(category, categories.map(({ id }) => [id, this.#app.directory.name(id)]));
    fill(region, await regionNames(this.#app.directory, regions));
    return undefined;
  }

  #wish({ name, value }) {
    if (name === 'userId') return;
    this.#wishes[name] = value;
    this.#asking.want(listRequest(this.#wishes));
  }

  async #more(button) {
    await this.#app.run(button, async () => {
      const before = this.#visits;
      const reply = await this.#app.client.call('listVisits', { ...listRequest(this.#wishes), cursor: this.#cursor });
      // Another list has replaced this one meanwhile.
      if (before !== this.#visits) return;
      this.#visits.push(...(reply.visits ?? []));
      this.#cursor = reply.cursor ?? '';
      this.#draw();
    });
  }

  #take({ visits = [], cursor = '' }) {
    // Another view has the map by now.
    if (!this.root.isConnected) return;
    const isFirst = this.#visits === null;
    this.#visits = visits;
    this.#cursor = cursor;
    this.#draw();
    if (isFirst) this.#app.map?.fit();
  }

  #failed(error) {
    if (!error.code) throw error;
    if (!error.code.startsWith('client.')) setText(this.status, explain(error));
  }

  #draw() {
    const { directory, map } = this.#app;
    const row = (visit) => ({ root: visitRow(visit, { directory, pictures: this.#pictures }), update: () => undefined });
    keep(this.list, byDay(this.#visits), ({ day }) => day, ({ day }) => {
      const cards = h('ul.cards');
      // Rows stay as long as their visit, and with them their photos.
      const update = ({ visits }) => keep(cards, visits, ({ visitId, version }) => `${visitId} ${version}`, row);
      return { root: h('section', {}, h('h2', {}, dayHeading(day)), cards), update };
    });
    this.#pictures.sweep();
    show(this.more, this.#cursor !== '');
    setText(this.status, this.#visits.length === 0 ? t(this.#none) : '');
    show(this.status, this.#visits.length === 0);
    map?.setSigns(this.#visits.map(({ visitId, place = {}, category }) => ({
      id: visitId, at: [place.latitude ?? 0, place.longitude ?? 0], name: place.name ?? '', icon: directory.icon(category), line: '',
    })));
  }

  get #none() {
    const { text, kind, category, region } = this.#wishes;
    if (text || kind || category || region) return 'visits.no-match';
    return this.#isMine ? 'visits.none' : 'visits.none-shared';
  }

  #picked({ signs, latitude, longitude }) {
    const [sign] = signs;
    if (sign) this.#app.go('visit', sign.id);
    else if (this.#isMine) this.#app.go('visits', 'new', 'at', `${latitude.toFixed(6)},${longitude.toFixed(6)}`);
  }
}

/** Adds options after the first one, and preserves the selection. */
function fill(select, options) {
  const { value } = select;
  select.replaceChildren(select.options[0], ...options.map(([key, words]) => h('option', { value: key }, words)));
  select.value = value;
}

/** The names of regions with visits: from the directory, else from the page, else the code. */
export async function regionNames(directory, regions) {
  const known = new Map((await directory.regions()).map(({ code, name }) => [code, name]));
  return regions.map(({ code }) => [code, known.get(code) ?? (has('region.' + code) ? t('region.' + code) : code)]);
}
