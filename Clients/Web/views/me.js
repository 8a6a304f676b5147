import { h } from '../dom.js';
import { link } from '../fragment.js';
import { span } from '../format.js';
import { t } from '../strings.js';
import { AccountPart } from './account.js';
import { MyDataPart } from './mydata.js';
import { avatar, statisticsList } from './parts.js';
import { SecurityPart } from './security.js';

/** The user's profile, punctuality and account. */
export class MeView {
  #app;
  #account;
  #data;
  #security;

  constructor(app) {
    this.#app = app;
    this.#account = new AccountPart(app);
    this.#data = new MyDataPart(app);
    this.#security = new SecurityPart(app);
    this.body = h('div.stack', {}, h('p.quiet', {}, t('loading')));
    this.root = h('section', {}, h('h1', {}, t('me')), this.body, this.#account.root,
      h('p', {}, h('a', { href: link('notifications') }, t('notifications.settings'))), this.#data.root, this.#security.root);
  }

  async online() {
    try {
      const [me] = await Promise.all([this.#app.client.call('getMe'), this.#security.load()]);
      this.#draw(me);
      this.#account.draw(me);
    } catch (error) {
      this.#app.fail(error);
    }
  }

  event(event) {
    if (event.statisticsChanged) this.online();
    this.#data.event(event);
  }

  /** Shows the user's changed card. */
  userChanged(user) {
    this.profile?.replaceChildren(...this.#profile(user));
  }

  #draw({ user, email, statistics }) {
    this.email = email;
    this.tier = t('tier.' + (statistics?.tier || 'newcomer'));
    this.profile = h('div.profile', {}, this.#profile(user));
    this.body.replaceChildren(this.profile, h('h2', {}, t('statistics')), statisticsList(statistics, { span }));
  }

  #profile(user) {
    return [avatar(user), h('div', {}, h('strong', {}, user.nickname), h('p.quiet', {}, this.email)), h('span.chip', {}, this.tier)];
  }
}
