import { h } from '../dom.js';
import { link } from '../fragment.js';
import { moment } from '../format.js';
import { routeOf } from '../inbox.js';
import { has, t } from '../strings.js';
import { NotificationSettingsPart } from './notificationsettings.js';
import { nameOf, small } from './parts.js';

/** The user's notifications, the newest first, and their settings. */
export class NotificationsView {
  #app;
  #notifications = [];
  #cursor = '';
  #settings;

  constructor(app) {
    this.#app = app;
    this.#settings = new NotificationSettingsPart(app);
    this.all = small(t('read-all'), (button) => this.#readAll(button));
    this.list = h('div', {}, h('p.quiet', {}, t('loading')));
    this.root = h('section', {}, h('div.head', {}, h('h1', {}, t('notifications')), this.all), this.list, this.#settings.root);
  }

  async online() {
    try {
      this.#notifications = [];
      await Promise.all([this.#load(''), this.#settings.load()]);
    } catch (error) {
      this.#app.fail(error);
    }
  }

  event({ notification }) {
    if (!notification) return;
    const { notification: told } = notification;
    this.#take([told], { isNewer: true });
    this.#draw();
  }

  /** Adds each notification once: one that was postponed, or is announced while the list loads, arrives twice. */
  #take(notifications, { isNewer = false } = {}) {
    const ids = new Set(notifications.map((one) => one.notificationId));
    const others = this.#notifications.filter((one) => !ids.has(one.notificationId));
    this.#notifications = isNewer ? [...notifications, ...others] : [...others, ...notifications];
  }

  async #load(cursor) {
    const reply = await this.#app.client.call('listNotifications', { limit: 50, ...(cursor && { cursor }) });
    this.#take(reply.notifications ?? []);
    this.#cursor = reply.cursor ?? '';
    this.#app.inbox.set(reply.unread ?? 0);
    this.#draw();
  }

  #draw() {
    const more = this.#cursor && small(t('more'), (button) => this.#app.run(button, () => this.#load(this.#cursor)));
    const rows = this.#notifications.map((one) => this.#row(one));
    this.list.replaceChildren(rows.length ? h('ul.rows.notifications', {}, rows) : h('p.empty', {}, t('no-notifications')), more || '');
    this.all.disabled = this.#app.inbox.unread === 0;
  }

  #row(notification) {
    const { read, at } = notification;
    const route = routeOf(notification);
    const text = notificationText(notification);
    const open = () => read || this.#read(notification);
    return h('li.row', { 'data-unread': !read },
      h('span.grow', {}, route ? h('a.cover', { href: link(...route), onclick: open }, text) : h('span', {}, text),
        h('span.quiet', {}, h('time', {}, moment(at)), !read && h('span.chip.new', {}, t('unread')))),
      !read && !route && small(t('read'), () => this.#read(notification), { name: `${t('read')}: ${text}` }));
  }

  #read(notification) {
    return this.#app.run(null, async () => {
      await this.#app.client.call('readNotifications', { notificationIds: [notification.notificationId] });
      notification.read = true;
      this.#app.inbox.set(this.#app.inbox.unread - 1);
      this.#draw();
    });
  }

  #readAll(button) {
    return this.#app.run(button, async () => {
      await this.#app.client.call('readNotifications', {});
      for (const one of this.#notifications) one.read = true;
      this.#app.inbox.set(0);
    }).then(() => this.#draw());
  }
}

/** A notification as a sentence, with the name of its subject if the server tells it. */
export function notificationText({ kind, user, title = '', placeName = '' }) {
  const key = 'told.' + kind;
  if (!has(key)) return t('told.other');
  const isNamed = has(key + '.named') && (kind === 'VISIT_MADE' ? placeName : title);
  return t(isNamed ? key + '.named' : key, { name: user ? nameOf(user) : t('somebody'), title, place: placeName });
}
