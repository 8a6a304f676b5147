import { h } from '../dom.js';
import { span } from '../format.js';
import { LANGUAGES, chooseLanguage, language, t } from '../strings.js';
import { MyDataPart } from './mydata.js';
import { avatar, choice, small, statisticsList } from './parts.js';

/** The user's profile, punctuality, and signing out. */
export class MeView {
  #app;
  #data;

  constructor(app) {
    this.#app = app;
    this.#data = new MyDataPart(app);
    this.body = h('div.stack', {}, h('p.quiet', {}, t('loading')));
    const signOut = small(t('sign-out'), (button) => app.run(button, () => app.client.signOut()));
    this.root = h('section', {}, h('h1', {}, t('me')), this.body, this.#data.root, h('p', {}, signOut));
  }

  async online() {
    try {
      const me = await this.#app.client.call('getMe');
      this.#draw(me);
    } catch (error) {
      this.#app.fail(error);
    }
  }

  event(event) {
    if (event.statisticsChanged) this.online();
    this.#data.event(event);
  }

  #draw({ user, email, statistics, visitsFromArrivals = false }) {
    const tier = t('tier.' + (statistics?.tier || 'newcomer'));
    this.body.replaceChildren(
      h('div.profile', {}, avatar(user), h('div', {}, h('strong', {}, user.nickname), h('p.quiet', {}, email)),
        h('span.chip', {}, tier)),
      h('h2', {}, t('statistics')), statisticsList(statistics, { span }),
      h('section', {}, h('h2', {}, t('settings')), this.#languageChoice(), this.#visitsSwitch(visitsFromArrivals)));
  }

  #languageChoice() {
    const part = choice(t('language'), 'language', LANGUAGES);
    const select = part.querySelector('select');
    select.value = language;
    select.addEventListener('change', () => this.#app.run(select, async () => {
      const wanted = select.value;
      select.value = language;
      await this.#app.client.call('updateMe', { locale: wanted });
      chooseLanguage(wanted);
      // All texts are read when the page is loaded.
      location.reload();
    }));
    return part;
  }

  #visitsSwitch(isOn) {
    const box = h('input', { type: 'checkbox', role: 'switch', name: 'visitsFromArrivals', checked: isOn, 'aria-describedby': 'arrivals-hint' });
    box.addEventListener('change', () => this.#app.run(box, async () => {
      const wanted = box.checked;
      // The box shows the server's state, also after a refusal.
      box.checked = !wanted;
      box.checked = (await this.#app.client.call('updateMe', { visitsFromArrivals: wanted })).visitsFromArrivals ?? false;
      this.#app.say(t('saved'));
    }));
    return h('div', {}, h('label.check', {}, box, t('arrivals.switch')), h('p.quiet', { id: 'arrivals-hint' }, t('arrivals.hint')));
  }
}
