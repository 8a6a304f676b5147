import { h } from '../dom.js';
import { link } from '../fragment.js';
import { moment, thereToo } from '../format.js';
import { t } from '../strings.js';
import { join } from './invite.js';
import { small } from './parts.js';

const LISTS = ['TRACKING', 'INVITED', 'UPCOMING', 'PAST'];
/** Events that may change the lists. */
const CHANGES = ['invited', 'cancelled', 'trackingStarted', 'resultFinal', 'edited', 'joined'];

/** All promises of the user, by list. */
export class HomeView {
  #app;
  #lists = new Map();
  #isLoading = false;

  constructor(app) {
    this.#app = app;
    this.sections = h('div', {}, h('p.quiet', {}, t('loading')));
    this.root = h('section', {},
      h('div.head', {}, h('h1', {}, t('promises')),
        h('a.button.primary', { href: link('new') }, t('new-promise'))),
      this.sections,
      h('p', {}, small(t('join-by-code'), () => join(this.#app))));
  }

  online() {
    this.#load();
  }

  event(event) {
    if (CHANGES.some((name) => name in event)) this.#load();
  }

  async #load() {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      const replies = await Promise.all(LISTS.map((list) => this.#app.client.call('listPromises', { list, limit: 20 })));
      LISTS.forEach((list, index) => this.#lists.set(list, replies[index]));
      this.#draw();
    } catch (error) {
      this.#app.fail(error);
    } finally {
      this.#isLoading = false;
    }
  }

  async #more(list) {
    const known = this.#lists.get(list);
    const next = await this.#app.client.call('listPromises', { list, limit: 20, cursor: known.cursor });
    this.#lists.set(list, { promises: [...known.promises, ...(next.promises ?? [])], cursor: next.cursor });
    this.#draw();
  }

  #draw() {
    const sections = LISTS.filter((list) => this.#lists.get(list).promises?.length).map((list) => this.#section(list));
    this.sections.replaceChildren(...(sections.length ? sections : [h('p.empty', {}, t('no-promises'))]));
    const upcoming = ['TRACKING', 'INVITED', 'UPCOMING'].flatMap((list) => this.#lists.get(list).promises ?? []);
    this.#app.map?.setPins(upcoming.map(({ place, title }) => ({ latitude: 0, longitude: 0, ...place, title })));
    this.#app.map?.fit();
  }

  #section(list) {
    const { promises, cursor } = this.#lists.get(list);
    return h('section', {}, h('h2', {}, t('list.' + list)),
      h('ul.cards', {}, promises.map((promise) => this.#card(promise, list))),
      cursor && small(t('more'), (button) => this.#app.run(button, () => this.#more(list))));
  }

  #card(promise, list) {
    const count = promise.participantCount ?? 1;
    const people = count === 1 ? t('person-one') : t('people', { n: count });
    const there = thereToo(promise.meetsAt, promise.place);
    return h('li.card', {},
      h('a.cover', { href: link('promise', promise.promiseId) }, promise.title),
      h('p.quiet', {}, `${moment(promise.meetsAt)} · ${promise.place?.name ?? ''} · ${people}`),
      there && h('p.quiet.there', {}, there),
      list === 'INVITED' ? this.#answers(promise) : h('span.chip.' + promise.status.toLowerCase(), {}, t('status.' + promise.status)));
  }

  #answers(promise) {
    const respond = (accept) => (button) => this.#app.run(button, async () => {
      await this.#app.client.call('respond', { promiseId: promise.promiseId, accept });
      if (accept) this.#app.go('promise', promise.promiseId);
      else await this.#load();
    });
    return h('div.buttons', {},
      small(t('accept'), respond(true), { kind: 'primary', name: `${t('accept')}: ${promise.title}` }),
      small(t('decline'), respond(false), { name: `${t('decline')}: ${promise.title}` }));
  }
}
