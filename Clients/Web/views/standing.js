import { h, keep, mark, setText, show } from '../dom.js';
import { distance, fromMeeting, time } from '../format.js';
import { icon } from '../icons.js';
import { t } from '../strings.js';
import { openExplanation } from './explanation.js';
import { avatar, mockSign, nameOf, small } from './parts.js';

/** People within this distance outside the circle may ask for an explanation. */
const NEAR_METRES = 200;

/** The arrivals in their order, and the distances of all others. */
export class StandingPart {
  #view;

  constructor(view) {
    this.#view = view;
    this.arrived = h('ol.ranking');
    this.nobody = h('p.quiet', {}, t('nobody-arrived'));
    this.underWay = h('ul.people');
    this.everybody = h('p.quiet', {}, t('everybody-arrived'));
    this.others = h('ul.people');
    this.heading = h('h2', {}, t('under-way'));
    this.otherHeading = h('h2', {}, t('not-coming'));
    this.ranking = h('section', {}, h('h2', {}, t('ranking')), this.nobody, this.arrived);
    this.root = h('div.standing', {}, this.ranking,
      h('section', {}, this.heading, this.everybody, this.underWay), h('section', {}, this.otherHeading, this.others));
  }

  draw() {
    const { meetup, status } = this.#view;
    const arrived = meetup.arrived;
    const isLive = status === 'TRACKING' || status === 'SETTLING';
    const underWay = meetup.underWay;
    const others = [...meetup.people.values()].filter((person) => person.membership !== 'ACCEPTED' && !person.arrival);
    show(this.ranking, isLive);
    show(this.nobody, arrived.length === 0);
    keep(this.arrived, isLive ? arrived : [], userId, (person) => this.#arrivedRow(person));
    const isShown = status !== 'FINAL';
    setText(this.heading, t(isLive ? 'under-way' : 'membership.accepted'));
    // For viewers by link, all participants may be hidden.
    show(this.heading, isShown && meetup.accepted.length > 0);
    show(this.everybody, isLive && underWay.length === 0 && arrived.length > 0);
    keep(this.underWay, isShown ? underWay : [], userId, (person) => this.#personRow(person));
    show(this.otherHeading, isShown && others.length > 0);
    keep(this.others, isShown ? others : [], userId, (person) => this.#personRow(person));
  }

  #arrivedRow({ user }) {
    const rank = h('span.rank');
    const when = h('span.quiet');
    const stage = h('span.stage');
    const mock = mockSign();
    const why = !this.#view.isGuest
      && small(t('why'), () => openExplanation(this.#view, user), { name: t('why-name', { name: nameOf(user) }), kind: 'why' });
    const root = h('li', {}, rank, this.#name(user), h('span.grow', {}, when), mock, stage, why);
    return { root, update: ({ arrival }) => {
      show(mock, arrival.mock === true);
      // The promise may be handed over meanwhile.
      if (why) show(why, this.#view.mayExplain(user));
      setText(rank, String(arrival.rank ?? ''));
      mark(rank, 'aria-label', t('rank-of', { rank: arrival.rank ?? '' }));
      mark(rank, 'data-rank', arrival.rank <= 3 ? arrival.rank : null);
      setText(when, `${time(arrival.creditedAt)} · ${fromMeeting(arrival.secondsFromMeeting ?? 0, arrival.outcome)}`);
      setText(stage, t(arrival.stage === 'CONFIRMED' ? 'confirmed' : 'provisional'));
      mark(stage, 'data-stage', arrival.stage);
      mark(root, 'data-outcome', arrival.outcome);
      mark(root, 'data-selected', this.#view.selected === user.userId);
    } };
  }

  #personRow({ user }) {
    const dot = h('span.dot', { 'aria-hidden': 'true' });
    const [line, eta, status] = [h('span.quiet'), h('span.eta'), h('span.status')];
    const nudge = this.#nudge(user);
    const why = !this.#view.isGuest
      && small(t('why'), () => openExplanation(this.#view, user), { name: t('why-none-name', { name: nameOf(user) }), kind: 'why' });
    const root = h('li', {}, this.#name(user), h('span.grow', {}, dot, line, eta, status), h('span.actions', {}, nudge, why));
    return { root, update: (person) => {
      const isLive = this.#view.status === 'TRACKING';
      mark(root, 'data-membership', person.membership);
      mark(dot, 'data-freshness', isLive && person.membership === 'ACCEPTED' ? freshness(person) : null);
      setText(line, isLive || person.membership !== 'ACCEPTED' ? presenceLine(person) : '');
      setText(eta, isLive ? etaLine(person) : '');
      mark(eta, 'data-state', person.eta?.state);
      setText(status, [person.emoji, person.statusText].filter(Boolean).join(' '));
      if (nudge) show(nudge, isLive && person.membership === 'ACCEPTED' && this.#canNudge());
      if (why) show(why, this.#mayWonder(person));
      mark(root, 'data-selected', this.#view.selected === user.userId);
    } };
  }

  /** The button that nudges a participant; null without a recipient or without permission. */
  #nudge(user) {
    const { app, id, isGuest, me } = this.#view;
    if (isGuest || user.userId === me) return null;
    return small([icon('nudge'), h('span', {}, t('nudge'))], (button) => app.run(button, async () => {
      await app.client.call('nudge', { promiseId: id, userId: user.userId });
      app.say(t('nudged-ok', { name: nameOf(user) }));
    }), { name: t('nudge-name', { name: nameOf(user) }), kind: 'nudge' });
  }

  /**
   * `true` if a participant may ask for the reason of a missing arrival: near the place, and from the meeting time on.
   */
  #mayWonder({ user, membership, position }) {
    const { meetup: { promise }, clock, status } = this.#view;
    if (membership !== 'ACCEPTED' || !this.#view.mayExplain(user)) return false;
    if (status === 'SETTLING') return true;
    const isNear = position && (position.distanceMetres ?? 0) <= (promise.radiusMetres ?? 50) + NEAR_METRES;
    return status === 'TRACKING' && (isNear || clock.now() >= Date.parse(promise.meetsAt));
  }

  #name(user) {
    const isMe = user.userId === this.#view.me;
    const name = isMe ? `${nameOf(user)} (${t('you')})` : nameOf(user);
    return h('button.who', {
      type: 'button', 'aria-label': t('show-on-map', { name }), onclick: () => this.#view.select(user.userId),
    }, avatar(user), h('span', {}, nameOf(user), isMe && h('small', {}, ` (${t('you')})`)));
  }

  /** `true` from half an hour before the meeting to half an hour after. */
  #canNudge() {
    const meetsAt = Date.parse(this.#view.meetup.promise.meetsAt);
    return Math.abs(this.#view.clock.now() - meetsAt) <= 30 * 60_000;
  }
}

const userId = (person) => person.user.userId;

const freshness = (person) => person.presence?.freshness ?? (person.position ? 'LIVE' : 'LOST');

/** The line under a marker: distance and expected time. */
export function positionLine(person) {
  if (person.arrival) return person.arrival.rank ? t('rank-of', { rank: person.arrival.rank }) : '';
  const parts = [person.position && distance(person.position.distanceMetres ?? 0)];
  if (person.eta?.medianAt) parts.push(time(person.eta.medianAt));
  return parts.filter(Boolean).join(' · ');
}

function presenceLine(person) {
  if (person.membership !== 'ACCEPTED') return t('membership.' + person.membership);
  const { presence, position } = person;
  const parts = [position ? distance(position.distanceMetres ?? 0) : t('fresh.none')];
  if (presence?.freshness && !['LIVE', 'LAGGING'].includes(presence.freshness) && position) parts.push(t('fresh.' + presence.freshness));
  const cause = person.sharing === true ? presence?.cause : 'PAUSED';
  if (cause && cause !== 'NONE' && cause !== 'UNSPECIFIED') parts.push(t('cause.' + cause));
  return parts.join(' · ');
}

function etaLine({ eta, position }) {
  if (!eta?.state || !position) return '';
  const state = t('eta.' + eta.state);
  return eta.medianAt ? `${t('eta-at', { time: time(eta.medianAt) })} · ${state}` : state;
}
