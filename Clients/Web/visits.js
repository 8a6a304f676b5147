import { dayOf } from './format.js';

/** Kinds of visits, in the order in which the page offers them. */
export const KINDS = ['NOTE', 'QUOTE', 'BOOK', 'FOOD', 'OTHER'];
/** The people who may see a visit, from the fewest on. */
export const AUDIENCES = ['PRIVATE', 'COMPANIONS', 'FRIENDS'];

/** Visits by the day at their place, in the given order. @returns {Array<{day: string, visits: object[]}>} */
export function byDay(visits) {
  const days = [];
  for (const visit of visits) {
    const day = visit.localDate ?? '';
    if (days.at(-1)?.day === day) days.at(-1).visits.push(visit);
    else days.push({ day, visits: [visit] });
  }
  return days;
}

/** A day as a heading: "Saturday, 21 November 2026". */
export const dayHeading = (day) => (day ? dayOf(day) : '');

/**
 * The request of a list. @param {{text?: string, kind?: string, category?: string, region?: string}} wishes empty ones
 * are ignored
 */
export function listRequest({ userId = '', placeId = '', text = '', kind = '', category = '', region = '' }) {
  const filter = { ...(category && { categories: [category] }), ...(region && { regions: [region] }) };
  return {
    ...(userId && { userId }), ...(placeId && { placeId }), ...(text.trim() && { text: text.trim() }), ...(kind && { kinds: [kind] }),
    ...(Object.keys(filter).length > 0 && { filter }), limit: 30,
  };
}

/** The photos of a visit in the form of requests. */
export const choices = (photos = []) => photos.map(({ file, caption = '' }) => ({ fileId: file.fileId, caption }));

/** Companions in the form of requests: users by their id, and names. */
export const companionsOf = (userIds, names) => [
  ...userIds.map((userId) => ({ user: { userId } })),
  ...names.split(',').map((name) => name.trim()).filter(Boolean).map((name) => ({ name })),
];

/**
 * The changed fields for `updateVisit`.
 * @param {object} before the visit
 * @param {object} after the fields of `createVisit` from the form
 */
export function changes(before, after) {
  const same = {
    place: ['name', 'address', 'latitude', 'longitude', 'placeId'].every((key) => (after.place[key] || '') === (before.place?.[key] || '')),
    // The form has no seconds.
    visitedAt: Math.floor(Date.parse(after.visitedAt) / 60_000) === Math.floor(Date.parse(before.visitedAt) / 60_000),
    photos: equal(after.photos, choices(before.photos)),
    companions: !after.companions || equal(after.companions, plain(before.companions)),
  };
  for (const key of ['kind', 'title', 'memo', 'emoji', 'audience']) same[key] = after[key] === (before[key] ?? DEFAULTS[key] ?? '');
  const changed = Object.fromEntries(Object.entries(after).filter(([key]) => !same[key]));
  // An empty list would leave the value unchanged.
  for (const [key, removal] of [['photos', 'withoutPhotos'], ['companions', 'withoutCompanions']]) {
    if (changed[key]?.length !== 0) continue;
    delete changed[key];
    changed[removal] = true;
  }
  return changed;
}

const DEFAULTS = { kind: 'NOTE', audience: 'PRIVATE' };
const equal = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const plain = (companions = []) => companions.map(({ user, name }) => (user ? { user: { userId: user.userId } } : { name }));
