import { h, keep, setText, show } from '../dom.js';
import { exactTime } from '../format.js';
import { has, t } from '../strings.js';
import { nameOf } from './parts.js';

/** What has happened, the newest first. */
export class TimelinePart {
  #view;

  constructor(view) {
    this.#view = view;
    this.list = h('ol.timeline');
    this.root = h('section', {}, h('h2', {}, t('timeline')), this.list);
  }

  draw() {
    const { meetup } = this.#view;
    const entries = meetup.timeline.filter((entry) => has('event.' + entry.kind)).reverse();
    show(this.root, entries.length > 0);
    keep(this.list, entries, (entry) => String(entry.seq), (entry) => {
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
  const names = (content.userIds ?? []).map((id) => meetup.nickname(id)).filter(Boolean).join(', ');
  if (!has('event.' + kind)) return '';
  return t('event.' + kind, { name, names, rank: arrival?.rank ?? '' });
}
