import { h, keep, setText, show } from '../dom.js';
import { exactTime, placeOf, time as timeOfDay } from '../format.js';
import { has, t } from '../strings.js';
import { nameOf } from './parts.js';

/** The events so far, the newest first. */
export class TimelinePart {
  #view;

  constructor(view) {
    this.#view = view;
    this.list = h('ol.timeline');
    this.root = h('section', {}, h('h2', {}, t('timeline')), this.list);
  }

  draw() {
    const { meetup } = this.#view;
    const entries = meetup.story.filter((entry) => has('event.' + entry.kind)).reverse();
    show(this.root, entries.length > 0);
    keep(this.list, entries, (entry) => entry.key, (entry) => {
      const text = h('span');
      const root = h('li', { 'data-kind': entry.kind }, h('time', { datetime: entry.at }, exactTime(entry.at)), text);
      return { root, update: (one) => setText(text, sentence(meetup, one)) };
    });
  }
}

/** An event as a sentence for people. */
export function sentence(meetup, { kind, content }) {
  const { arrival, user, userId, ownerId, row } = content;
  const name = user ? nameOf(user) : row ? nameOf(row.user) : meetup.nickname(arrival?.userId ?? userId ?? ownerId);
  const cards = content.users ?? (user ? [user] : []);
  const known = [...cards.map(nameOf), ...(content.userIds ?? []).map((id) => meetup.nickname(id))];
  const names = known.filter(Boolean).join(', ');
  if (!has('event.' + kind)) return '';
  const time = content.expiresAt ? timeOfDay(content.expiresAt) : '';
  const many = kind !== 'viewersChanged' || content.count > 1 ? '' : content.count ? '.one' : '.none';
  const unranked = kind === 'arrived' && !arrival?.rank ? '.unranked' : '';
  return t(`event.${kind}${many}${unranked}`, { name, names, time, place: arrival?.rank ? placeOf(arrival.rank) : '', count: content.count ?? 0 });
}
