import { focusOf } from '/assets/focus.js';
import { routeOf } from '/assets/inbox.js';
import { allPages } from '/assets/pages.js';
import { uprightSize } from '/assets/pictures.js';
import { byDay, changes, companionsOf, dayHeading, listRequest } from '/assets/visits.js';
import { companionsLine, kindLine, photoWords } from '/assets/views/visitrow.js';
import { equal, test } from './harness.js';

test('groups visits by the day at their place', () => {
  const visit = (visitId, localDate) => ({ visitId, localDate });
  const days = byDay([visit('a', '2026-11-21'), visit('b', '2026-11-21'), visit('c', '2026-11-20')]);
  equal(days.map(({ day, visits }) => [day, visits.map(({ visitId }) => visitId)]), [['2026-11-21', ['a', 'b']], ['2026-11-20', ['c']]]);
  equal([byDay([]), dayHeading('')], [[], '']);
});

test('a list requests exactly the chosen filters', () => {
  equal(listRequest({}), { limit: 30 });
  equal(listRequest({ userId: 'u', placeId: 'p', text: ' tea ', kind: 'FOOD', category: 'cafe', region: 'KR-11' }),
    { userId: 'u', placeId: 'p', text: 'tea', kinds: ['FOOD'], filter: { categories: ['cafe'], regions: ['KR-11'] }, limit: 30 });
});

const before = {
  place: { name: 'Café', latitude: 1, longitude: 2, placeId: 'p' }, visitedAt: '2026-11-21T10:00:30.500Z', title: 'Tea',
  photos: [{ file: { fileId: 'f' }, caption: 'Cup' }, { file: { fileId: 'g' } }], companions: [{ user: { userId: 'u', nickname: 'Ben' } }, { name: 'Ann' }],
};
const same = {
  place: { name: 'Café', address: '', latitude: 1, longitude: 2, placeId: 'p' }, visitedAt: '2026-11-21T10:00:00.000Z', kind: 'NOTE', title: 'Tea',
  memo: '', emoji: '', photos: [{ fileId: 'f', caption: 'Cup' }, { fileId: 'g', caption: '' }],
  companions: [{ user: { userId: 'u' } }, { name: 'Ann' }], audience: 'PRIVATE',
};

test('sends only changed fields', () => {
  equal(changes(before, same), {});
  equal(changes(before, { ...same, title: '' }), { title: '' });
  equal(changes(before, { ...same, visitedAt: '2026-11-21T10:01:00.000Z' }), { visitedAt: '2026-11-21T10:01:00.000Z' });
  equal(changes(before, { ...same, photos: [{ fileId: 'g', caption: '' }] }), { photos: [{ fileId: 'g', caption: '' }] });
  equal(changes(before, { ...same, photos: [], companions: [] }), { withoutPhotos: true, withoutCompanions: true });
  equal(Object.keys(changes(before, { ...same, place: { ...same.place, placeId: undefined } })), ['place']);
  equal(changes(before, { ...same, companions: undefined, audience: 'FRIENDS' }), { audience: 'FRIENDS' });
  equal(changes({}, { ...same, place: {}, visitedAt: undefined, title: '', photos: [], companions: [] }).kind, undefined);
});

test('companions are users and names', () => {
  equal(companionsOf(['u'], ' Ann , , Uncle Bob,'), [{ user: { userId: 'u' } }, { name: 'Ann' }, { name: 'Uncle Bob' }]);
  equal(companionsLine({ companions: [{ user: { nickname: 'Ben' } }, { name: 'Ann' }] }), 'With Ben and Ann');
  equal([companionsLine({}), kindLine({}), kindLine({ kind: 'FOOD', emoji: '🍜' })], ['', '', '🍜 Food']);
});

test('names a photo by its caption, or else by its number and place', () => {
  const visit = { photos: [{ caption: 'Cup' }, {}], place: { name: 'Café' } };
  equal([photoWords(visit, 0), photoWords(visit, 1)], ['Cup', 'Photo 2 of 2: Café']);
});

test('a photo on its side has the file’s height as its width', () => {
  const sizes = [1, 4, 5, 8, 0].map((orientation) => uprightSize({ width: 4, height: 3, orientation }).width);
  equal(sizes, [4, 4, 3, 3, 4]);
});

test('reads all pages of a list, up to a limit', async () => {
  const asked = [];
  const client = { call: (name, fields) => {
    asked.push([name, fields]);
    return Promise.resolve({ users: [asked.length], cursor: asked.length < 3 ? 'c' + asked.length : undefined });
  } };
  equal(await allPages(client, 'listFriends', 'users', { fields: { a: 1 } }), [1, 2, 3]);
  equal(asked.map(([, { cursor }]) => cursor), [undefined, 'c1', 'c2']);
  equal(asked[0], ['listFriends', { a: 1, limit: 50 }]);
  asked.length = 0;
  equal(await allPages(client, 'listFriends', 'users', { most: 2 }), [1, 2]);
});

test('a notification of a visit leads to it, and editing a visit counts as writing', () => {
  equal(routeOf({ kind: 'VISIT_MADE', screen: 'OTHER', visitId: 'v', promiseId: 'p' }), ['visit', 'v']);
  const screens = [['visits'], ['visits', 'new'], ['visit', 'v'], ['visit', 'v', 'edit']].map((path) => focusOf(path, true).screen);
  equal(screens, ['OTHER', 'WRITING', 'OTHER', 'WRITING']);
});
