const TIMELINE = 300;
const TRAIL = 400;
/** Events for the time line even without a number; people with a link receive all events without one. */
const TOLD = new Set(['viewersChanged', 'trackingStarted', 'meetingTime', 'late', 'cancelled', 'arrived', 'arrivalConfirmed',
  'arrivalRetracted', 'rankingRevised']);
/** A trail stores a point only at this distance from the previous one, in degrees of latitude: some four metres. */
const TRAIL_STEP = 0.00004;

/**
 * The known state of one promise while it is watched: a snapshot and the events after it, as plain data.
 *
 * It has no output and no clock, so it can be tested alone; views read it after {@link apply}.
 */
export class Meetup {
  promise = null;
  people = new Map();
  timeline = [];
  result = null;
  #owner = null;
  #latest = 0;
  #told = 0;

  /** Restarts from a snapshot; trails of people who still share continue. */
  reset(promise) {
    this.replace(promise);
    this.timeline = [];
    this.#latest = 0;
  }

  /**
   * Replaces the promise with its people; the time line stays.
   * @param {object} promise
   * @param {object} [owner] the owner's card, which may be missing among the people
   */
  replace(promise, owner = null) {
    this.#owner = owner;
    const before = this.people;
    this.promise = promise;
    this.people = new Map();
    for (const participant of promise.participants ?? []) {
      // The trail ends when sharing does.
      const trail = (participant.position && before.get(participant.user.userId)?.trail) || [];
      this.people.set(participant.user.userId, { ...participant, trail });
      if (participant.position) this.#move(participant.position);
    }
  }

  /** Applies the live data of a refreshed promise; time line and trails stay. */
  refresh(promise) {
    const { viewLinkExpiresAt, viewerCount } = promise;
    Object.assign(this.promise, { viewLinkExpiresAt, viewerCount });
    for (const participant of promise.participants ?? []) {
      const person = this.people.get(participant.user.userId);
      if (!person) continue;
      const { sharing, linkSharing, position, presence, eta, statusText, emoji, arrival } = participant;
      Object.assign(person, { sharing, linkSharing, position, presence, eta, statusText, emoji, arrival });
      if (position) this.#move(position);
      else person.trail = [];
    }
  }

  /** Puts the durable events before the snapshot into the time line, without applying them. */
  addHistory(events) {
    const known = new Set(this.timeline.map((entry) => entry.seq));
    for (const event of events) {
      if (known.has(event.seq)) continue;
      if (event.resultFinal) this.result = event.resultFinal.result;
      this.#note(event);
    }
    this.timeline.sort((one, other) => Date.parse(one.at) - Date.parse(other.at) || (one.seq ?? 0) - (other.seq ?? 0));
  }

  /** Applies an event of the promise. @returns {string} its name, such as `arrived` */
  apply(event) {
    const name = nameOf(event);
    const content = event[name] ?? {};
    this.#latest = Math.max(this.#latest, Date.parse(event.at) || 0);
    APPLY[name]?.(this, content);
    if (event.seq || TOLD.has(name)) this.#note(event);
    return name;
  }

  /** The newest instant sent by the server, in milliseconds since 1970; 0 before the first. */
  get latest() {
    return this.#latest;
  }

  /** A person by id. */
  person(userId) {
    return this.people.get(userId);
  }

  /** A user's nickname; an empty text for an unknown one. */
  nickname(userId) {
    return this.people.get(userId)?.user.nickname ?? '';
  }

  /** The nickname of the owner; an empty text if unknown. */
  get ownerName() {
    return this.#owner?.nickname ?? this.nickname(this.promise.ownerId);
  }

  /** The time line for display: people invited at the same instant are the `users` of one entry. */
  get story() {
    const told = [];
    for (const entry of this.timeline) {
      const last = told.at(-1);
      if (entry.kind !== 'invited') told.push(entry);
      else if (last?.kind === 'invited' && last.at === entry.at) last.content.users.push(entry.content.user);
      else told.push({ ...entry, content: { users: [entry.content.user] } });
    }
    return told;
  }

  /** The people who accepted. */
  get accepted() {
    return [...this.people.values()].filter((person) => person.membership === 'ACCEPTED');
  }

  /** The people with an arrival, by rank and credited time. */
  get arrived() {
    const order = (one, other) =>
      (one.arrival.rank || 1e9) - (other.arrival.rank || 1e9)
      || Date.parse(one.arrival.creditedAt) - Date.parse(other.arrival.creditedAt)
      || one.user.userId.localeCompare(other.user.userId);
    return [...this.people.values()].filter((person) => person.arrival).sort(order);
  }

  /** The people who accepted and have not arrived, the nearest first, unknown ones last. */
  get underWay() {
    const metres = (person) => (person.position ? (person.position.distanceMetres ?? 0) : Infinity);
    const order = (one, other) => {
      const [a, b] = [metres(one), metres(other)];
      return a === b ? one.user.nickname.localeCompare(other.user.nickname) : a - b;
    };
    return this.accepted.filter((person) => !person.arrival).sort(order);
  }

  /** The status by a clock, in milliseconds since 1970: its events may arrive a moment later. */
  status(now) {
    const { promise } = this;
    if (this.result || promise.status === 'FINAL') return 'FINAL';
    if (promise.status === 'CANCELLED') return 'CANCELLED';
    if (now < Date.parse(promise.opensAt)) return 'SCHEDULED';
    if (now < Date.parse(promise.closesAt)) return 'TRACKING';
    return 'SETTLING';
  }

  /** The next milestone and its kind; null without one. */
  nextMilestone(now) {
    const { promise } = this;
    const status = this.status(now);
    if (status === 'FINAL' || status === 'CANCELLED') return null;
    const milestones = [
      ['opens', promise.opensAt], ['meets', promise.meetsAt], ['closes', promise.closesAt],
      ['settles', promise.settlesAt],
    ];
    const next = milestones.map(([what, at]) => ({ what, at: Date.parse(at) })).find(({ at }) => now < at);
    return next ?? null;
  }

  #note(event) {
    const kind = nameOf(event);
    const entry = { seq: event.seq, at: event.at, kind, content: event[kind] ?? {} };
    // The number of viewers changes often; only the latest counts.
    if (kind === 'viewersChanged') this.timeline = this.timeline.filter((one) => one.kind !== kind);
    this.timeline.push({ key: event.seq ? String(event.seq) : `told-${++this.#told}`, ...entry });
    if (this.timeline.length > TIMELINE) this.timeline.shift();
  }

  /** Adds a new person. */
  admit(user, membership) {
    const known = this.people.get(user.userId);
    // After accepting, sharing is on until the user switches it off.
    const sharing = membership === 'ACCEPTED' && (known?.membership !== 'ACCEPTED' || known.sharing);
    if (known) Object.assign(known, { user, membership, sharing });
    else this.people.set(user.userId, { user, membership, sharing, trail: [] });
  }

  /** Moves a person, on the map and at the end of the trail. */
  move(position) {
    this.#move(position);
  }

  #move(position) {
    const person = this.people.get(position.userId);
    if (!person) return;
    person.position = position;
    if (position.eta) person.eta = position.eta;
    const point = [position.latitude ?? 0, position.longitude ?? 0];
    const last = person.trail.at(-1);
    const moved = !last || Math.abs(last[0] - point[0]) + Math.abs(last[1] - point[1]) > TRAIL_STEP;
    if (moved) person.trail.push(point);
    // Drops every second point of the older half: the shape stays, the memory is bounded.
    if (person.trail.length > TRAIL) person.trail = person.trail.filter((_, i, all) => i % 2 || i > all.length / 2);
  }
}

/** The name of an event: its one specific field. */
export function nameOf(event) {
  return Object.keys(event).find((key) => key !== 'promiseId' && key !== 'seq' && key !== 'at') ?? '';
}

function setArrival(meetup, arrival) {
  const person = meetup.person(arrival.userId);
  if (person) person.arrival = arrival;
}

function part(meetup, userId, membership) {
  const person = meetup.person(userId);
  if (!person) return;
  person.membership = membership;
  hide(person);
}

function hide(person) {
  person.position = undefined;
  person.presence = undefined;
  person.eta = undefined;
  person.trail = [];
}

/** The change that each event makes. */
const APPLY = {
  positions: (meetup, { positions }) => (positions ?? []).forEach((position) => meetup.move(position)),
  presence: (meetup, { presences }) =>
    (presences ?? []).forEach((presence) => {
      const person = meetup.person(presence.userId);
      if (person) person.presence = presence;
    }),
  eta: (meetup, { userId, eta }) => {
    const person = meetup.person(userId);
    if (person) person.eta = eta;
  },
  sharingChanged: (meetup, { userId, on }) => {
    const person = meetup.person(userId);
    if (!person) return;
    person.sharing = Boolean(on);
    if (!on) hide(person);
  },
  statusChanged: (meetup, { userId, text, emoji }) => {
    const person = meetup.person(userId);
    if (person) Object.assign(person, { statusText: text, emoji });
  },
  arrived: (meetup, { arrival }) => setArrival(meetup, arrival),
  arrivalConfirmed: (meetup, { arrival }) => setArrival(meetup, arrival),
  arrivalRetracted: (meetup, { userId }) => {
    const person = meetup.person(userId);
    if (person) person.arrival = undefined;
  },
  rankingRevised: (meetup, { arrivals }) => (arrivals ?? []).forEach((arrival) => setArrival(meetup, arrival)),
  viewLinkCreated: (meetup, { expiresAt }) => (meetup.promise.viewLinkExpiresAt = expiresAt),
  viewLinkRevoked: (meetup) => Object.assign(meetup.promise, { viewLinkExpiresAt: undefined, viewerCount: 0 }),
  viewersChanged: (meetup, { count }) => (meetup.promise.viewerCount = count),
  linkSharingChanged: (meetup, { userId, on }) => {
    const person = meetup.person(userId);
    if (person) person.linkSharing = on;
  },
  invited: (meetup, { promise }) => merge(meetup, promise),
  edited: (meetup, { promise }) => merge(meetup, promise),
  joined: (meetup, { user }) => meetup.admit(user, 'ACCEPTED'),
  declined: (meetup, { user }) => meetup.admit(user, 'DECLINED'),
  left: (meetup, { user }) => part(meetup, user.userId, 'LEFT'),
  removed: (meetup, { user }) => part(meetup, user.userId, 'REMOVED'),
  handedOver: (meetup, { ownerId }) => (meetup.promise.ownerId = ownerId),
  cancelled: (meetup) => (meetup.promise.status = 'CANCELLED'),
  trackingStarted: (meetup) => (meetup.promise.status = 'TRACKING'),
  trackingEnded: (meetup) => {
    meetup.promise.status = 'SETTLING';
    meetup.people.forEach(hide);
  },
  resultFinal: (meetup, { result }) => {
    meetup.promise.status = 'FINAL';
    meetup.result = result;
  },
  excused: (meetup, { row }) => {
    const rows = meetup.result?.rows;
    const index = rows?.findIndex((one) => one.user.userId === row.user.userId) ?? -1;
    if (index >= 0) rows[index] = row;
  },
};

/** The promise's current state; the live data of people stays. */
function merge(meetup, promise) {
  const { participants, ...fields } = promise;
  Object.assign(meetup.promise, { note: '', penalty: undefined, courseId: '' }, fields);
  for (const { user, membership } of participants ?? []) meetup.admit(user, membership);
}
