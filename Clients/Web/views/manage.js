import { h, show } from '../dom.js';
import { link } from '../fragment.js';
import { t } from '../strings.js';
import { InvitePart } from './invite.js';
import { ask, nameOf, small } from './parts.js';

/** The acts on a promise: editing, inviting, handing over, cancelling, leaving. */
export class ManagePart {
  #view;

  constructor(view) {
    this.#view = view;
    this.edit = h('a.button.small', { href: link('promise', view.id, 'edit') }, t('edit'));
    this.invite = small(t('invite-friends'), () => this.#inviteFriends());
    this.link = new InvitePart(view);
    this.makeCode = small(t('invite-code'), (button) => this.link.make(button));
    this.removing = small(t('remove-people'), () => this.#remove());
    this.handOver = small(t('hand-over'), () => this.#handOver());
    this.cancel = small(t('cancel-promise'), () => this.#cancel(), { kind: 'grave' });
    this.depart = small(t('leave'), () => this.#leave(), { kind: 'grave' });
    this.root = h('section.manage', {}, h('h2', {}, t('actions')), this.link.root, h('div.buttons', {},
      this.edit, this.invite, this.makeCode, this.removing, this.handOver, this.cancel, this.depart));
  }

  draw() {
    const { mine, status, isOwner, meetup } = this.#view;
    const isOpen = mine?.membership === 'ACCEPTED' && !['FINAL', 'CANCELLED'].includes(status);
    const isPlanned = status === 'SCHEDULED';
    show(this.root, isOpen);
    show(this.edit, isOwner);
    show(this.invite, isOwner && isPlanned);
    const isJoinable = isOwner && ['SCHEDULED', 'TRACKING'].includes(status);
    show(this.makeCode, isJoinable);
    if (!isJoinable) show(this.link.root, false);
    show(this.removing, isOwner && isPlanned && meetup.people.size > 1);
    show(this.handOver, isOwner && meetup.accepted.length > 1);
    show(this.cancel, isOwner);
    show(this.depart, !isOwner);
  }

  async #inviteFriends() {
    const { app, meetup } = this.#view;
    const reply = await app.run(this.invite, () => app.client.call('listFriends', { limit: 50 }));
    if (!reply) return;
    const isOut = ({ userId }) => !['INVITED', 'ACCEPTED'].includes(meetup.person(userId)?.membership);
    const users = (reply.users ?? []).filter(isOut);
    const chosen = await this.#choose(t('invite-friends'), users, 'checkbox', t('invite'));
    if (chosen.length) await this.#update(this.invite, { invite: chosen });
  }

  async #remove() {
    const { app, meetup } = this.#view;
    const others = [...meetup.people.values()].filter((one) => ['INVITED', 'ACCEPTED'].includes(one.membership))
      .map((one) => one.user).filter((user) => user.userId !== app.client.user?.userId);
    const chosen = await this.#choose(t('remove'), others, 'checkbox', t('remove'));
    if (chosen.length) await this.#update(this.removing, { remove: chosen });
  }

  async #handOver() {
    const { app, id, meetup } = this.#view;
    const others = meetup.accepted.map((one) => one.user).filter((user) => user.userId !== app.client.user?.userId);
    const [userId] = await this.#choose(t('hand-over-to'), others, 'radio', t('hand-over'));
    if (userId) await app.run(this.handOver, () => app.client.call('handOver', { promiseId: id, userId }));
  }

  /** Opens a dialog to choose people. @returns {Promise<string[]>} the chosen ids; none if it was closed */
  async #choose(title, users, type, confirm) {
    const boxes = users.map((user) => h('label.check', {}, h('input', { type, name: 'user', value: user.userId }), nameOf(user)));
    const content = boxes.length ? [h('fieldset', {}, h('legend.unseen', {}, title), ...boxes)] : [h('p.quiet', {}, t('no-friends-to-invite'))];
    const data = await ask({ title, content, confirm });
    return data ? data.getAll('user') : [];
  }

  #update(button, change) {
    const { app, id, meetup } = this.#view;
    return app.run(button, async () => {
      // The version may have risen since the snapshot; this change cannot conflict.
      const { promise } = await app.client.call('getPromise', { promiseId: id });
      const reply = await app.client.call('updatePromise', { promiseId: id, version: promise.version, ...change });
      for (const { user, membership } of reply.promise.participants ?? []) meetup.admit(user, membership);
      this.#view.draw();
    });
  }

  async #cancel() {
    const { app, id, meetup } = this.#view;
    const sure = await ask({ title: t('cancel-sure', { title: meetup.promise.title }), confirm: t('cancel-promise'), isGrave: true });
    if (sure) await app.run(this.cancel, () => app.client.call('cancelPromise', { promiseId: id }));
  }

  async #leave() {
    const { app, id, meetup } = this.#view;
    const sure = await ask({ title: t('leave-sure', { title: meetup.promise.title }), confirm: t('leave'), isGrave: true });
    if (!sure) return;
    const reply = await app.run(this.depart, () => app.client.call('leavePromise', { promiseId: id }));
    if (reply) app.go();
  }
}
