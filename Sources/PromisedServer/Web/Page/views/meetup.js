import { colourOf, initials } from '../colours.js';
import { h, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { countdown, distance, moment, money } from '../format.js';
import { Meetup } from '../meetup.js';
import { explain, t } from '../strings.js';
import { ManagePart } from './manage.js';
import { nameOf, small } from './parts.js';
import { ResultPart } from './result.js';
import { SharingPart } from './sharing.js';
import { StandingPart, positionLine } from './standing.js';
import { TimelinePart, sentence } from './timeline.js';

/** Positions of many people are drawn together, so often at most. */
const DRAW_MS = 300;

/** One promise, watched live: the parts of the panel beside the map, kept in step with one model. */
export class MeetupView {
  meetup = new Meetup();
  selected = null;
  #app;
  #id;
  #feed = null;
  #parts = [];
  #timer;
  #drawing = null;
  #isFitted = false;
  #glide = { ms: 1000, at: 0 };
  #onPick = ({ detail }) => this.select(detail.personId ?? null, { isFromMap: true });

  constructor(app, id) {
    this.#app = app;
    this.#id = id;
    this.root = h('section.meetup', {}, h('p.quiet', {}, t('loading')));
    app.map?.addEventListener('pick', this.#onPick);
    this.#timer = setInterval(() => this.#tick(), 250);
  }

  /** The page this is part of. */
  get app() {
    return this.#app;
  }

  get id() {
    return this.#id;
  }

  /** The user's own part. */
  get mine() {
    return this.meetup.person(this.#app.client.user?.userId);
  }

  get status() {
    return this.meetup.status(this.#app.client.clock.now());
  }

  get isOwner() {
    return this.meetup.promise.ownerId === this.#app.client.user?.userId;
  }

  leave() {
    clearInterval(this.#timer);
    clearTimeout(this.#drawing);
    this.#feed?.stop();
    this.#app.map?.removeEventListener('pick', this.#onPick);
    for (const part of this.#parts) part.leave?.();
  }

  async online() {
    if (this.#feed) return;
    try {
      const { promise } = await this.#app.client.call('getPromise', { promiseId: this.#id });
      this.#begin(promise);
      if (this.mine?.membership === 'ACCEPTED') this.#follow();
    } catch (error) {
      if (!error.code?.startsWith('client.')) this.root.replaceChildren(h('p.empty', {}, explain(error)));
    }
  }

  /** Chooses somebody; null for nobody. */
  select(userId, { isFromMap = false } = {}) {
    this.selected = userId;
    if (userId && !isFromMap) this.#app.map?.focusPerson(userId);
    this.draw();
  }

  /** Answers the invitation. */
  respond(accept, button) {
    return this.#app.run(button, async () => {
      await this.#app.client.call('respond', { promiseId: this.#id, accept });
      if (!accept) this.#app.go();
      else await this.online();
    });
  }

  // Following

  #begin(promise) {
    this.meetup.reset(promise);
    this.#parts.forEach((part) => part.leave?.());
    this.#parts = [
      new SharingPart(this), new ResultPart(this), new StandingPart(this), new TimelinePart(this), new ManagePart(this),
    ];
    this.#head();
    this.draw();
  }

  #follow() {
    this.#feed = this.#app.client.follow(this.#id, {
      onSnapshot: (promise, epoch) => {
        this.meetup.reset(promise);
        this.draw();
        this.#loadHistory(epoch);
      },
      onEvent: (event) => this.#apply(event),
      onResume: () => this.#refresh(),
      onSlot: (nextReportMs) => this.#parts[0].follow(nextReportMs),
      onEnd: (error) => this.#ended(error),
    });
  }

  /** What happened before this page was opened, for the time line; and the result, when there is one. */
  async #loadHistory(epoch) {
    try {
      const { missed = [] } = await this.#app.client.call('subscribe', { promiseId: this.#id, epoch, lastSeq: 0 });
      this.meetup.addHistory(missed);
      if (this.meetup.promise.status === 'FINAL' && !this.meetup.result) {
        this.meetup.result = await this.#app.client.call('getResult', { promiseId: this.#id });
      }
    } catch {
      // Without its past the time line begins now.
    }
    this.draw();
  }

  /** After a cut connection: who paused meanwhile must not stay on the map. */
  async #refresh() {
    try {
      const { promise } = await this.#app.client.call('getPromise', { promiseId: this.#id });
      this.meetup.refresh(promise);
      this.draw();
    } catch {
      // The connection was cut again; the next one resumes again.
    }
  }

  #ended(error) {
    this.#feed = null;
    this.#parts[0].leave();
    if (this.status === 'FINAL' || this.status === 'CANCELLED') return;
    this.root.replaceChildren(h('p.empty', {}, error.code === 'promise.not-found' ? t('not-in') : explain(error)));
  }

  #apply(event) {
    const name = this.meetup.apply(event);
    this.#parts[0].event(event);
    if (name === 'positions') return this.#drawSoon();
    if (name === 'nudged' && event.nudged.userId === this.#app.client.user?.userId) {
      this.#app.say(t('nudged-you', { name: this.meetup.nickname(event.nudged.from) }), { isUrgent: true });
    }
    if (event.seq) this.#app.announce(sentence(this.meetup, { kind: name, content: event[name] ?? {} }));
    this.draw();
    return undefined;
  }

  // Drawing

  draw() {
    clearTimeout(this.#drawing);
    this.#drawing = null;
    if (!this.meetup.promise || !this.countdown) return;
    this.#drawHead();
    for (const part of this.#parts) part.draw();
    this.#drawMap();
  }

  #drawSoon() {
    const now = performance.now();
    if (this.#glide.at) this.#glide.ms = Math.min(6000, Math.max(200, 0.5 * this.#glide.ms + 0.6 * (now - this.#glide.at)));
    this.#glide.at = now;
    this.#drawing ??= setTimeout(() => this.draw(), DRAW_MS);
  }

  #head() {
    this.title = h('h1');
    this.chip = h('span.chip');
    this.when = h('p.when');
    this.where = h('p');
    this.terms = h('p.quiet');
    this.note = h('p.note');
    this.countdown = h('div.countdown', { role: 'timer', 'aria-live': 'off' }, h('strong'), h('span'));
    this.answers = h('div.answers', { hidden: true }, h('p', {}, t('invited-hint')), h('div.buttons', {},
      small(t('accept'), (button) => this.respond(true, button), { kind: 'primary' }),
      small(t('decline'), (button) => this.respond(false, button))));
    this.root.replaceChildren(
      h('a.backlink', { href: link() }, '‹ ', t('promises')),
      h('div.head', {}, this.title, this.chip), h('div.facts', {}, this.when, this.where, this.terms), this.note, this.countdown, this.answers,
      ...this.#parts.map((part) => part.root));
  }

  #drawHead() {
    const { promise } = this.meetup;
    const { status } = this;
    setText(this.title, promise.title);
    setText(this.chip, t('status.' + status));
    this.chip.className = 'chip ' + status.toLowerCase();
    const terms = [
      t('radius-is', { distance: distance(promise.radiusMetres ?? 0) }),
      promise.penalty?.amount && t('penalty-is', { amount: money(promise.penalty.amount, promise.penalty.currency) }),
      t('owner-is', { name: this.meetup.nickname(promise.ownerId) }),
    ];
    setText(this.when, moment(promise.meetsAt));
    setText(this.where, [promise.place?.name, promise.place?.address].filter(Boolean).join(', '));
    setText(this.terms, terms.filter(Boolean).join(' · '));
    setText(this.note, promise.note ?? '');
    show(this.note, Boolean(promise.note));
    show(this.answers, this.mine?.membership === 'INVITED' && !['FINAL', 'CANCELLED'].includes(status));
    document.title = `${promise.title} · promised`;
    this.#tick();
  }

  #tick() {
    if (!this.countdown || !this.meetup.promise) return;
    const now = this.#app.client.clock.now();
    const next = this.meetup.nextMilestone(now);
    show(this.countdown, next !== null);
    if (!next) return;
    const [number, label] = this.countdown.children;
    setText(number, countdown(next.at - now));
    setText(label, t('until.' + next.what));
    // The clock may pass a boundary before the event that says so is here.
    if (this.chip.textContent !== t('status.' + this.status)) this.draw();
  }

  #drawMap() {
    const { map, client } = this.#app;
    if (!map) return;
    const { promise } = this.meetup;
    map.setPlace({ latitude: 0, longitude: 0, ...promise.place, radiusMetres: promise.radiusMetres ?? 50 });
    const people = this.meetup.accepted.map((person) => ({
      id: person.user.userId,
      name: nameOf(person.user),
      line: positionLine(person),
      initials: initials(nameOf(person.user)),
      colour: colourOf(person.user.userId),
      freshness: person.presence?.freshness,
      isMe: person.user.userId === client.user?.userId,
      isSelected: person.user.userId === this.selected,
      isArrived: Boolean(person.arrival),
      at: person.position && [person.position.latitude ?? 0, person.position.longitude ?? 0],
      trail: person.trail,
    }));
    map.setPeople(people, this.#glide.ms);
    const isSomebody = people.some((person) => person.at);
    if (!this.#isFitted || (isSomebody && this.#isFitted !== 'people')) map.fit();
    this.#isFitted = isSomebody ? 'people' : this.#isFitted || 'place';
  }
}
