import { h, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { countdown, distance, moment, money, thereToo } from '../format.js';
import { t } from '../strings.js';

/** The statuses in which the terms of a promise are read before everything else. */
const UNFOLDED = ['SCHEDULED', 'CANCELLED'];

/** The head of a promise: title, time, place, terms, and the countdown to the next event. */
export class HeadPart {
  #view;
  #status = null;

  constructor(view) {
    this.#view = view;
    this.title = h('h1');
    this.chip = h('span.chip');
    this.when = h('span.when');
    this.name = h('span');
    this.there = h('p.quiet.there');
    this.address = h('p');
    this.terms = h('p.quiet');
    this.note = h('p.note');
    this.about = h('details.facts', {}, h('summary', {}, h('span', {}, this.when, ' ', this.name)), this.address, this.terms, this.note);
    this.countdown = h('div.countdown', { role: 'timer', 'aria-live': 'off' }, h('strong'), h('span'));
    this.root = h('div.meetup-head', {},
      !view.isGuest && h('a.backlink', { href: link() }, '‹ ', h('span', {}, t('promises'))),
      h('div.head', {}, this.title, this.chip), this.about, this.there, this.countdown);
  }

  draw() {
    const { meetup, status } = this.#view;
    const { promise } = meetup;
    setText(this.title, promise.title);
    setText(this.chip, t('status.' + status));
    this.chip.className = 'chip ' + status.toLowerCase();
    const terms = [
      t('radius-is', { distance: distance(promise.radiusMetres ?? 0) }),
      promise.penalty?.amount && t('penalty-is', { amount: money(promise.penalty.amount, promise.penalty.currency) }),
      promise.rule?.mock === 'REJECT' && t('mock.refused'),
      t('owner-is', { name: meetup.ownerName }),
    ];
    setText(this.when, moment(promise.meetsAt));
    setText(this.there, thereToo(promise.meetsAt, promise.place));
    setText(this.name, promise.place?.name ?? '');
    setText(this.address, promise.place?.address ?? '');
    setText(this.terms, terms.filter(Boolean).join(' · '));
    setText(this.note, promise.note ?? '');
    show(this.note, Boolean(promise.note));
    document.title = `${promise.title} · promised`;
    this.#fold(status);
    this.tick();
  }

  /** Once people are on the way, the terms fold away; the user's own choice lasts until the status changes. */
  #fold(status) {
    if (status === this.#status) return;
    this.#status = status;
    this.about.open = UNFOLDED.includes(status);
  }

  /** Counts down. @returns {boolean} true if the clock has passed a boundary that is not drawn yet */
  tick() {
    const { meetup, clock, status } = this.#view;
    const now = clock.now();
    const next = meetup.nextMilestone(now);
    show(this.countdown, next !== null);
    if (next) {
      const [number, label] = this.countdown.children;
      setText(number, countdown(next.at - now));
      setText(label, t('until.' + next.what));
    }
    return this.chip.textContent !== t('status.' + status);
  }
}
