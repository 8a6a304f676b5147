import { h } from '../dom.js';
import { moment } from '../format.js';
import { t } from '../strings.js';
import { ask, field, small } from './parts.js';

/** Password, sessions, and the deletion of the account. Only for accounts of this server, except the deletion. */
export class SecurityPart {
  #app;
  #sessions = [];

  constructor(app) {
    this.#app = app;
    this.list = h('ul.rows.sessions');
    this.others = small(t('sessions.end-others'), (button) => this.#end(button, {}));
    const password = small(t('password.change'), (button) => this.#changePassword(button));
    const signOut = small(t('sign-out'), (button) => app.run(button, () => app.client.signOut()));
    const remove = small(t('delete-account'), (button) => this.#delete(button), { kind: 'grave' });
    const isLocal = app.accounts === 'local';
    this.root = h('div.stack', {},
      isLocal && h('section', {}, h('h2', {}, t('sessions')), h('p.quiet', {}, t('sessions.hint')), this.list, h('div.buttons', {}, this.others)),
      h('section', {}, h('h2', {}, t('sign-in')), h('div.buttons', {}, isLocal && password, signOut, remove)));
  }

  async load() {
    if (this.#app.accounts !== 'local') return;
    const { sessions = [] } = await this.#app.client.call('listSessions', {});
    this.#sessions = sessions;
    this.#draw();
  }

  #draw() {
    this.list.replaceChildren(...this.#sessions.map((session) => this.#row(session)));
    this.others.hidden = this.#sessions.length < 2;
  }

  #row({ sessionId, createdAt, client, current = false }) {
    const name = client || t('sessions.unknown');
    return h('li.row', {},
      h('span.grow', {}, h('span', {}, name, current && h('span.chip', {}, t('sessions.this'))),
        h('span.quiet', {}, t('sessions.since', { time: moment(createdAt) }))),
      !current && small(t('sessions.end'), (button) => this.#end(button, { sessionId }), { name: `${t('sessions.end')}: ${name}` }));
  }

  #end(button, fields) {
    return this.#app.run(button, async () => {
      await this.#app.client.call('endSession', fields);
      await this.load();
      this.#app.say(t('sessions.ended'));
    });
  }

  async #changePassword(button) {
    const content = [
      h('p.quiet', {}, t('password.change-hint')),
      field(t('password.old'), { name: 'old', type: 'password', required: true, autocomplete: 'current-password' }),
      field(t('password.new'), { name: 'new', type: 'password', required: true, minlength: 8, autocomplete: 'new-password' }, t('password-hint')),
    ];
    const data = await ask({ title: t('password.change'), content, confirm: t('password.change') });
    if (!data) return;
    await this.#app.run(button, async () => {
      await this.#app.client.changePassword(data.get('old'), data.get('new'));
      await this.load();
      this.#app.say(t('password.changed'));
    });
  }

  /** Says first what the deletion does. */
  async #delete(button) {
    const content = [
      h('ul.points', {}, [1, 2, 3, 4].map((number) => h('li', {}, t('delete-account.' + number)))),
      this.#app.accounts === 'local'
        && field(t('password'), { name: 'password', type: 'password', required: true, autocomplete: 'current-password' }),
    ].filter(Boolean);
    const data = await ask({ title: t('delete-account'), content, confirm: t('delete-account.confirm'), isGrave: true });
    if (data) await this.#app.run(button, () => this.#app.client.deleteAccount(data.get('password') ?? ''));
  }
}
