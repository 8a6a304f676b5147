import { h, mark, setText, show } from '../dom.js';
import { viewAddress } from '../fragment.js';
import { time } from '../format.js';
import { t } from '../strings.js';
import { ask, choice, small } from './parts.js';

const HOUR = 3_600_000;
/** The validity of a link, in hours; none for as long as positions are accepted. */
const HOURS = ['', 1, 3, 12];

/** The view link for people without an account: who consents to be seen, the number of viewers, and its creation. */
export class LinkPart {
  #view;
  #wasOpen = false;

  constructor(view) {
    this.#view = view;
    this.state = h('p');
    this.agreed = h('p.quiet');
    this.hint = h('small', { id: 'link-hint' }, t('link.share-hint'));
    this.share = h('input', {
      type: 'checkbox', role: 'switch', 'aria-describedby': 'link-hint', onchange: () => this.#setSharing(),
    });
    this.address = h('input', { readonly: true, 'aria-label': t('link.address'), onfocus: ({ target }) => target.select() });
    this.made = h('div.made', { hidden: true }, h('div.inline', {}, this.address, small(t('link.copy'), () => this.#copy())),
      h('small', {}, t('link.once')));
    this.make = small(t('link.make'), () => this.#make());
    this.revoke = small(t('link.revoke'), (button) => this.#revoke(button));
    this.root = h('section.links', {}, h('h2', {}, t('link.title')), this.state, this.agreed,
      h('label.check', {}, this.share, h('span', {}, t('link.share'))), this.hint, this.made,
      h('div.buttons', {}, this.make, this.revoke));
  }

  draw() {
    const { mine, status, isOwner, meetup } = this.#view;
    const isPossible = mine?.membership === 'ACCEPTED' && ['SCHEDULED', 'TRACKING'].includes(status);
    show(this.root, isPossible);
    if (!isPossible) return;
    const isOpen = this.#isOpen;
    this.#wasOpen = isOpen;
    setText(this.state, isOpen ? this.#openText() : t(isOwner ? 'link.none-owner' : 'link.none'));
    const { length: n } = meetup.accepted.filter((person) => person.linkSharing);
    setText(this.agreed, isOpen ? t('link.agreed', { n, of: meetup.accepted.length }) : '');
    show(this.agreed, isOpen);
    if (!this.share.disabled) this.share.checked = mine.linkSharing === true;
    mark(this.root, 'data-open', isOpen);
    setText(this.make, t(isOpen ? 'link.again' : 'link.make'));
    show(this.make, isOwner);
    show(this.revoke, isOwner && isOpen);
    show(this.made, isOpen && this.address.value !== '');
  }

  /** A link expires by the clock, without an event. */
  tick() {
    if (this.#wasOpen !== this.#isOpen) this.draw();
  }

  get #isOpen() {
    const { meetup, clock } = this.#view;
    return clock.now() < Date.parse(meetup.promise.viewLinkExpiresAt ?? '');
  }

  #openText() {
    const { viewLinkExpiresAt, viewerCount: n = 0 } = this.#view.meetup.promise;
    const watching = n > 1 ? t('link.watching', { n }) : t(n ? 'link.watching.one' : 'link.watching.none');
    return `${t('link.open', { time: time(viewLinkExpiresAt) })} ${watching}`;
  }

  #setSharing() {
    const { app, id, mine } = this.#view;
    const on = this.share.checked;
    return app.run(this.share, async () => {
      await app.client.call('setLinkSharing', { promiseId: id, on });
      mine.linkSharing = on;
    }).then(() => this.draw());
  }

  async #make() {
    const { app, id, meetup } = this.#view;
    const words = (hours) => (hours === '' ? t('link.to-end', { time: time(meetup.promise.closesAt) })
      : hours === 1 ? t('link.hour') : t('link.hours', { n: hours }));
    const options = HOURS.map((hours) => [hours, words(hours)]);
    const content = [h('p', {}, t('link.make-hint')), choice(t('link.duration'), 'hours', options)];
    const data = await ask({ title: t('link.make'), content, confirm: t('link.make') });
    if (!data) return;
    await app.run(this.make, async () => {
      const hours = Number(data.get('hours'));
      const request = { promiseId: id, ...(hours ? { expiresInMs: hours * HOUR } : {}) };
      const { code, expiresAt } = await app.client.call('createViewLink', request);
      meetup.promise.viewLinkExpiresAt = expiresAt;
      this.address.value = viewAddress(code);
    });
    this.#view.draw();
  }

  async #copy() {
    const { app } = this.#view;
    this.address.select();
    try {
      await navigator.clipboard.writeText(this.address.value);
      app.say(t('link.copied'));
    } catch {
      // Pages without TLS have no clipboard; the text is selected, so the keyboard copies it.
      app.say(t('link.copy-yourself'));
    }
  }

  #revoke(button) {
    const { app, id, meetup } = this.#view;
    return app.run(button, async () => {
      await app.client.call('revokeViewLink', { promiseId: id });
      meetup.promise.viewLinkExpiresAt = undefined;
      this.address.value = '';
      app.say(t('link.revoked'));
      this.#view.draw();
    });
  }
}
