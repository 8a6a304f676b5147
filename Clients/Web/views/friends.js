import { h, setText } from '../dom.js';
import { link } from '../fragment.js';
import { span } from '../format.js';
import { allPages } from '../pages.js';
import { explain, t } from '../strings.js';
import { ask, avatar, field, nameOf, openDialog, personRow, small, statisticsList } from './parts.js';

const CHANGES = ['friendRequested', 'friendAdded', 'friendRemoved'];

/** Friends, friend requests, and sending them. */
export class FriendsView {
  #app;
  #blocked = new Map();

  constructor(app) {
    this.#app = app;
    this.lists = h('div', {}, h('p.quiet', {}, t('loading')));
    this.root = h('section', {}, h('h1', {}, t('friends')), this.#form(), this.lists);
  }

  online() {
    this.#load();
  }

  event(event) {
    if (CHANGES.some((name) => name in event)) this.#load();
  }

  #form() {
    const error = h('p.error', { role: 'alert' });
    const submit = h('button.primary', { type: 'submit' }, t('send-request'));
    const form = h('form.inline', {
      onsubmit: (event) => {
        event.preventDefault();
        this.#request(form, submit, error);
      },
    }, field(t('add-friend'), { name: 'nickname', required: true, autocomplete: 'off' }, t('exact-nickname')), submit, error);
    return form;
  }

  async #request(form, submit, error) {
    const nickname = new FormData(form).get('nickname').trim();
    submit.disabled = true;
    setText(error, '');
    try {
      const { user, state } = await this.#app.client.call('requestFriend', { nickname });
      if (state !== 'FRIENDS') this.#app.say(t('request-sent', { name: user.nickname }));
      form.reset();
      await this.#load();
    } catch (problem) {
      error.replaceChildren(explain(problem));
      // Blocked users are not listed; the nickname is the only way to unblock.
      if (problem.code === 'friend.blocked') error.append(' ', this.#unblockByName(nickname, error));
    } finally {
      submit.disabled = false;
    }
  }

  async #load() {
    try {
      const { client } = this.#app;
      const friends = await allPages(client, 'listFriends', 'users');
      const requests = await client.call('listFriendRequests', { limit: 50 });
      this.#draw(friends, requests.incoming ?? [], requests.outgoing ?? []);
    } catch (error) {
      this.#app.fail(error);
    }
  }

  #draw(friends, incoming, outgoing) {
    const section = (key, users, row) => users.length > 0
      && h('section', {}, h('h2', {}, t(key)), h('ul.rows', {}, users.map(row)));
    this.lists.replaceChildren(...[
      section('requests-in', incoming, (user) => this.#incoming(user)),
      section('friends', friends, (user) => this.#friend(user)),
      friends.length === 0 && h('p.empty', {}, t('no-friends')),
      section('requests-out', outgoing, (user) => personRow(user,
        this.#action('withdraw', 'cancelFriendRequest', user, 'withdraw-name'))),
      section('block', [...this.#blocked.values()], (user) => personRow(user, this.#unblock(user))),
    ].filter(Boolean));
  }

  #incoming(user) {
    return personRow(user,
      this.#action('accept', 'acceptFriend', user, 'accept-name', 'primary'),
      this.#action('reject', 'rejectFriend', user, 'reject-name'));
  }

  #friend(user) {
    const name = nameOf(user);
    const remove = small(t('remove'), async (button) => {
      const sure = await ask({ title: t('remove-sure', { name }), confirm: t('remove'), isGrave: true });
      if (sure) await this.#change(button, 'removeFriend', user);
    }, { kind: 'plain', name: t('remove-name', { name }) });
    const block = small(t('block'), async (button) => {
      const sure = await ask({ title: t('block-sure', { name }), confirm: t('block'), isGrave: true });
      if (!sure || !(await this.#change(button, 'blockUser', user))) return;
      this.#blocked.set(user.userId, user);
      this.#app.say(t('blocked-now', { name }));
      this.#load();
    }, { kind: 'plain', name: t('block-name', { name }) });
    const who = h('button.who', {
      type: 'button', 'aria-label': `${t('statistics')}: ${name}`, onclick: () => this.#statistics(user),
    }, avatar(user), h('span', {}, name));
    return h('li.row', {}, who, remove, block);
  }

  #unblockByName(nickname, error) {
    return small(t('unblock-name', { name: nickname }), (button) => this.#app.run(button, async () => {
      const { userId } = await this.#app.client.call('findUser', { nickname });
      await this.#app.client.call('unblockUser', { userId });
      this.#blocked.delete(userId);
      setText(error, '');
      this.#app.say(t('unblocked-now', { name: nickname }));
      await this.#load();
    }));
  }

  #unblock(user) {
    return small(t('unblock'), async (button) => {
      if (await this.#change(button, 'unblockUser', user)) this.#blocked.delete(user.userId);
      this.#load();
    }, { name: `${t('unblock')}: ${nameOf(user)}` });
  }

  #action(label, request, user, nameKey, kind = '') {
    return small(t(label), (button) => this.#change(button, request, user), { kind, name: t(nameKey, { name: nameOf(user) }) });
  }

  async #change(button, request, user) {
    const reply = await this.#app.run(button, () => this.#app.client.call(request, { userId: user.userId }));
    if (reply) await this.#load();
    return reply;
  }

  async #statistics(user) {
    const profile = await this.#app.run(null, () => this.#app.client.call('getProfile', { userId: user.userId }));
    if (!profile) return;
    const { statistics } = profile;
    const visits = h('a.button.small', { href: link('visits', 'of', user.userId), onclick: () => dialog.close() }, t('visits.shared'));
    const dialog = openDialog(nameOf(user), h('div.stack', {}, h('p', {}, h('span.chip', {}, t('tier.' + (statistics?.tier || 'newcomer')))),
      statisticsList(statistics, { span }), h('p', {}, visits)));
  }
}
