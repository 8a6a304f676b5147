import { h } from '../dom.js';
import { span } from '../format.js';
import { t } from '../strings.js';
import { avatar, small, statisticsList } from './parts.js';

/** Oneself: who one is, how punctual, and signing out. */
export class MeView {
  #app;

  constructor(app) {
    this.#app = app;
    this.body = h('div', {}, h('p.quiet', {}, t('loading')));
    const signOut = small(t('sign-out'), (button) => app.run(button, () => app.client.signOut()));
    this.root = h('section', {}, h('h1', {}, t('me')), this.body, h('p', {}, signOut));
  }

  async online() {
    try {
      const me = await this.#app.client.call('getMe');
      this.#draw(me);
    } catch {
      // The connection was cut; the next one loads again.
    }
  }

  event({ statisticsChanged }) {
    if (statisticsChanged) this.online();
  }

  #draw({ user, email, statistics }) {
    const tier = t('tier.' + (statistics?.tier || 'newcomer'));
    this.body.replaceChildren(
      h('div.profile', {}, avatar(user), h('div', {}, h('strong', {}, user.nickname), h('p.quiet', {}, email)),
        h('span.chip', {}, tier)),
      h('h2', {}, t('statistics')), statisticsList(statistics, { span }));
  }
}
