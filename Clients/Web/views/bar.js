import { h, mark, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { icon } from '../icons.js';
import { t } from '../strings.js';
import { avatar } from './parts.js';

/** The bar at the top: the brand and, after signing in, the links to each part of the page. */
export class BarPart {
  #root;
  #inbox;
  #badge = h('span.badge', { 'aria-hidden': 'true', hidden: true });
  #bell = h('a.bell', { href: link('notifications') }, icon('bell'), this.#badge);

  /**
   * @param {Element} root the page's bar
   * @param {Inbox} inbox
   */
  constructor(root, inbox) {
    this.#root = root;
    this.#inbox = inbox;
    inbox.addEventListener('change', () => this.#count());
    this.#count();
  }

  /** @param {string} at the first part of the route @param {object|null} user the card of the signed-in user */
  draw(at, user) {
    const entry = (label, name, names) => h('a', { href: link(name), 'aria-current': names.includes(at) ? 'page' : null }, label);
    mark(this.#bell, 'aria-current', at === 'notifications' ? 'page' : null);
    const entries = user && [
      entry(t('promises'), '', ['', 'new', 'promise']),
      entry(t('places'), 'places', ['places', 'place']),
      entry(t('journal'), 'visits', ['visits', 'visit', 'courses', 'course', 'record']),
      entry(t('friends'), 'friends', ['friends']),
      this.#bell,
      entry([avatar(user), h('span', {}, user.nickname || t('me'))], 'me', ['me']),
    ];
    const brand = h('a.brand', { href: link() }, h('img', { src: '/assets/icon.svg', alt: '', width: 28, height: 28 }), 'promised');
    this.#root.replaceChildren(brand, user ? h('nav', { 'aria-label': 'promised' }, ...entries) : '');
  }

  /** Updated in place, so that the keyboard focus stays. */
  #count() {
    const { unread } = this.#inbox;
    mark(this.#bell, 'aria-label', unread ? t('notifications.unread', { n: unread }) : t('notifications'));
    setText(this.#badge, unread > 99 ? '99+' : String(unread));
    show(this.#badge, unread > 0);
  }
}
