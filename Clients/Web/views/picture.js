import { colourOf, initials } from '../colours.js';
import { nameOf } from './parts.js';
import { positionLine } from './standing.js';

/** One promise on the map: its place, its people and their trails. */
export class PicturePart {
  #view;
  /** The last positions arrived at `at`; they arrive about every `ms`, which is how long a marker glides. */
  #glide = { ms: 1000, at: 0 };

  constructor(view) {
    this.#view = view;
  }

  /** Records the arrival of positions: markers glide for about the time since the previous ones. */
  positionsCame() {
    const now = performance.now();
    const { ms, at } = this.#glide;
    this.#glide = { ms: at ? Math.min(6000, Math.max(200, 0.5 * ms + 0.6 * (now - at))) : ms, at: now };
  }

  draw() {
    const { map, meetup } = this.#view;
    if (!map) return;
    const { promise } = meetup;
    map.setPlace({ latitude: 0, longitude: 0, ...promise.place, radiusMetres: promise.radiusMetres ?? 50 });
    const people = meetup.accepted.map((person) => this.#marker(person));
    map.setPeople(people, this.#glide.ms);
    map.keepInView();
  }

  #marker(person) {
    const { user, position, presence, arrival, trail } = person;
    return {
      id: user.userId,
      name: nameOf(user),
      line: positionLine(person),
      initials: initials(nameOf(user)),
      colour: colourOf(user.userId),
      freshness: presence?.freshness,
      isMe: user.userId === this.#view.me,
      isSelected: user.userId === this.#view.selected,
      isArrived: Boolean(arrival),
      at: position && [position.latitude ?? 0, position.longitude ?? 0],
      trail,
    };
  }
}
