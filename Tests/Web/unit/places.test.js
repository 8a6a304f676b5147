import { Latest, PromisedError } from '/assets/promised.js';
import { focusOf } from '/assets/focus.js';
import { Inbox, routeOf } from '/assets/inbox.js';
import { outline } from '/assets/icons.js';
import { closedSentence, dawnOf, dayIn, hoursLine, isClosedAllDay, openDays, openingLine } from '/assets/opening.js';
import { OutlookWatch } from '/assets/outlooks.js';
import { PlaceSigns } from '/assets/map/signs.js';
import { PlaceSearch, WORLD, boxAround, isSearchable } from '/assets/search.js';
import { hourAt, warnings, weatherFacts, weatherLine } from '/assets/weather.js';
import { openable } from '/assets/views/credits.js';
import { notificationText } from '/assets/views/notifications.js';
import { clusterSign, placeSign } from '/assets/views/placesigns.js';
import { equal, expect, settle, test, until } from './harness.js';

test('retries at the server’s time', async () => {
  const [waiting, timers, told] = [[], [], []];
  const ask = (fields) => new Promise((resolve, reject) => waiting.push({ fields, resolve, reject }));
  const latest = new Latest(ask, { onReply: (reply) => told.push(reply), onError: (error) => told.push(error.code) },
    { timers: { set: (body, ms) => timers.push({ body, ms }), clear: () => undefined } });
  latest.wantNow('a');
  waiting[0].reject(new PromisedError('server.unavailable', { retry: 'LATER', retryAfterMs: 700 }));
  await settle();
  equal([told, timers.map(({ ms }) => ms)], [['server.unavailable'], [700]]);
  timers[0].body();
  equal(waiting[1].fields, 'a');
  waiting[1].resolve('A');
  await settle();
  equal(told, ['server.unavailable', 'A']);
});

test('an immediate request overtakes a paused one, and none follows after stop', async () => {
  const [waiting, told] = [[], []];
  let due = null;
  const ask = (fields) => new Promise((resolve) => waiting.push({ fields, resolve }));
  const timers = { set: (body) => (due = body), clear: () => (due = null) };
  const latest = new Latest(ask, { onReply: (reply) => told.push(reply) }, { timers });
  latest.want('a');
  latest.wantNow('b');
  equal([due, waiting.map(({ fields }) => fields)], [null, ['b']]);
  latest.stop();
  waiting[0].resolve('B');
  await settle();
  equal(told, []);
});

test('searches by text, by position or by the map, with the filters', () => {
  const search = new PlaceSearch();
  equal(search.request(0), { name: 'viewPlaces', fields: { box: WORLD, zoom: 2 } });
  search.view = { box: { south: 1, west: 2, north: 3, east: 4 }, zoom: 8, middle: { latitude: 2, longitude: 3 }, exactZoom: 8.5 };
  equal(search.request(0), { name: 'viewPlaces', fields: { box: { south: 1, west: 2, north: 3, east: 4 }, zoom: 8 } });
  search.text = ' 광자 ';
  equal(search.request(0), { name: 'searchPlaces', fields: { text: '광자', limit: 50 } });
  search.view.zoom = 9;
  equal(search.request(0, 'c').fields, { text: '광자', near: { latitude: 2, longitude: 3 }, limit: 50, cursor: 'c' });
  search.here = { latitude: 5, longitude: 6 };
  equal(search.request(0).fields.near, { latitude: 5, longitude: 6 });
  search.text = '...';
  Object.assign(search, { openAt: 'now', region: 'KR-11', isFavouritesOnly: true, categories: new Set(['cafe']) });
  equal([search.filterCount, search.request(0)], [4, { name: 'nearbyPlaces', fields: {
    latitude: 5, longitude: 6, radiusMetres: 2000, limit: 50,
    filter: { categories: ['cafe'], regions: ['KR-11'], openAt: '1970-01-01T00:00:00.000Z', favourites: true },
  } }]);
  search.clearFilters();
  equal([search.filterCount, 'filter' in search.request(0).fields], [0, false]);
});

test('searches for a text with a letter or a digit', () => {
  equal(['', ' ', '?!', '·', 'a', '7', 'ㄱ', '시장'].map(isSearchable), [false, false, false, false, true, true, true, true]);
});

test('the next page adds only new places and sources', () => {
  const search = new PlaceSearch();
  const page = (...ids) => ({ cards: ids.map((placeId) => ({ placeId })), cursor: 'next', sources: [{ name: 's' }] });
  search.take(page('a', 'b'));
  equal([search.found.total, search.found.cursor], [2, 'next']);
  search.append({ ...page('b', 'c'), cursor: undefined });
  equal([search.found.cards.map(({ placeId }) => placeId), search.found.total, search.found.cursor, search.found.sources.length],
    [['a', 'b', 'c'], 3, '', 1]);
});

test('the box around places and clusters contains all of them', () => {
  const cards = [{ place: { latitude: 1, longitude: 2 } }, { place: {} }];
  equal(boxAround(cards, []), { south: 0, west: 0, north: 1, east: 2 });
  equal(boxAround(cards, [{ box: { south: -5, north: 5, west: 170, east: -170 } }]), { south: -5, west: 0, north: 5, east: 190 });
  equal(boxAround([], []), null);
});

const AT = '2026-11-25T12:00:00Z';

test('the state of a place is a phrase', () => {
  const phrases = [{}, { opening: 'OPEN' }, { opening: 'CLOSED' }, { opening: 'THAT_DAY' }].map((card) => openingLine(card, AT));
  equal(phrases, ['Hours unknown', 'Open', 'Closed', 'Open that day, hours unknown']);
  const later = new Date(Date.parse(AT) + 60_000).toISOString();
  expect(/^Open until \d\d:01$/.test(openingLine({ opening: 'OPEN', closesAt: later }, AT)), 'the time of the same day');
  expect(/^Closed, opens .*Nov/.test(openingLine({ opening: 'CLOSED', opensAt: '2026-11-28T12:00:00Z' }, AT)), 'another day is named');
  equal(hoursLine({ opening: 'OPEN', spans: [{ from: '09:00', to: '12:00' }, { from: '13:00', to: '26:00' }] }), '09:00–12:00, 13:00–02:00');
  equal(hoursLine({ opening: 'OPEN', spans: [{ from: '00:00', to: '24:00' }] }), 'Open 24 hours');
  equal(hoursLine({ opening: 'OPEN', spans: [{ from: '18:00', to: '24:00' }] }), '18:00–00:00');
  equal(hoursLine({ opening: 'CLOSED' }), 'Closed');
});

test('the week of the place distinguishes a closed day from a late hour', () => {
  const details = (opening) => ({ timeZone: 'Asia/Seoul', week: [{ date: '2026-11-26', opening }] });
  const late = { opening: 'CLOSED', at: '2026-11-25T16:00:00Z' };
  equal(dayIn('Asia/Seoul', late.at), '2026-11-26');
  equal(dayIn('Nowhere/None', late.at), null);
  equal(['CLOSED', 'OPEN'].map((opening) => isClosedAllDay(late, details(opening))), [true, false]);
  equal([isClosedAllDay(late, null), isClosedAllDay({ ...late, opening: 'OPEN' }, details('CLOSED'))], [false, false]);
  equal([true, false].map((isAllDay) => closedSentence(late, isAllDay)), ['Closed that day.', 'Closed at that time.']);
  equal(closedSentence({ ...late, opening: 'OPEN' }, true), '');
  expect(closedSentence({ ...late, opensAt: '2026-11-28T00:00:00Z' }, false).includes('Opens again'), 'the next opening is told');
});

test('judges a day beyond the week by its first instant at the place', () => {
  const details = { timeZone: 'America/New_York', week: [{ date: '2026-10-20', opening: 'OPEN' }] };
  const noon = (day) => ({ at: `${day}T17:00:00Z`, opening: 'CLOSED' });
  equal(dawnOf(noon('2026-10-20'), details), null);
  equal(dawnOf(noon('2026-12-01'), { timeZone: 'Nowhere/None' }), null);
  // In New York the clocks go back at two in the morning of 1 November.
  equal(['2026-10-31', '2026-11-01', '2026-11-02'].map((day) => dawnOf(noon(day), details)),
    ['2026-10-31T04:00:00.000Z', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z']);
  const dawn = (fields) => ({ at: '2026-12-01T05:00:00Z', opening: 'CLOSED', ...fields });
  const isClosed = (fields) => isClosedAllDay(noon('2026-12-01'), details, dawn(fields));
  equal([{}, { opensAt: '2026-12-02T05:00:00Z' }].map(isClosed), [true, true]);
  equal([{ opensAt: '2026-12-01T14:00:00Z' }, { opening: 'OPEN' }, { at: '2026-11-30T05:00:00Z' }].map(isClosed), [false, false, false]);
  equal(isClosedAllDay(noon('2026-12-01'), details), false);
});

test('requests the week first, and the first instant of a later day once', async () => {
  const asked = [];
  const answers = { getPlace: { timeZone: 'Asia/Seoul', week: [] }, getOutlook: { at: '2026-11-24T15:00:00.000Z', opening: 'CLOSED' } };
  const client = { call: (name, fields) => {
    asked.push([name, fields]);
    return Promise.resolve(answers[name]);
  } };
  const watch = new OutlookWatch(client, () => watch.outlook?.opening === 'CLOSED' && watch.know('p'));
  watch.show({ at: AT, opening: 'CLOSED' }, { placeId: 'p', at: AT });
  await until(() => watch.isClosedAllDay);
  watch.show({ at: AT, opening: 'CLOSED' });
  await settle();
  equal(asked, [['getPlace', { placeId: 'p' }], ['getOutlook', { placeId: 'p', at: '2026-11-24T15:00:00.000Z' }]]);
});

test('shows a week with unknown hours as one sentence', () => {
  const week = (...openings) => openings.map((opening, index) => ({ date: `2026-11-${23 + index}`, opening }));
  equal(openDays(week('THAT_DAY', 'THAT_DAY')), 'Open every day, at hours that the source does not say');
  const some = openDays(week('CLOSED', 'THAT_DAY', 'CLOSED', 'THAT_DAY'));
  expect(/^Open on .*24.* and .*26.*, at hours/.test(some), some);
  equal([openDays(week('CLOSED', 'CLOSED')), openDays(week(undefined, 'THAT_DAY')), openDays([])], ['', '', '']);
  equal(openDays([...week('THAT_DAY'), { date: '2026-11-24', opening: 'OPEN', spans: [{ from: '09:00', to: '12:00' }] }]), '');
});

test('names a cluster by its category only if there is one', () => {
  const directory = { name: (id) => `<${id}>` };
  const name = (count, ...categories) => clusterSign({ count, label: 'bicycle/air', categories }, directory).name;
  equal(name(3, { id: 'cafe', count: 3 }), '<cafe>');
  equal([name(2150, { id: 'cafe', count: 2149 }, { id: 'bicycle/air', count: 1 }), name(2)], ['', '']);
  // A place may have several categories.
  equal(name(2, { id: 'cafe', count: 1 }, { id: 'market/periodic', count: 2 }), '<market/periodic>');
});

test('a sign has a line for the states that help to choose, the chosen one always', () => {
  const directory = { icon: () => 'cafe' };
  const line = (opening, isSelected) => placeSign({ placeId: 'p', place: { name: 'P' }, opening }, directory, AT, isSelected).line;
  equal([line('OPEN'), line('CLOSED'), line('THAT_DAY'), line(undefined)], ['Open', 'Closed', '', '']);
  equal(line('THAT_DAY', true), 'Open that day, hours unknown');
});

const hours = ['11:00', '12:00', '13:00'].map((time, index) => ({ at: `2026-11-25T${time}:00Z`, condition: 'RAIN', temperatureCelsius: index - 1 }));

test('the hour of an instant contains it', () => {
  equal(hourAt({ hours }, '2026-11-25T12:59:59Z').at, hours[1].at);
  equal(hourAt({ hours }, '2026-11-25T10:00:00Z').at, hours[0].at);
  equal(hourAt({ hours }, '2026-11-25T09:59:59Z'), null);
  equal(hourAt(undefined, AT), null);
});

test('weather shows only known values', () => {
  equal(weatherLine({}), 'Weather');
  equal(weatherLine({ condition: 'FOG' }), 'Fog');
  expect(/^Rain, 0\s?°C$/.test(weatherLine(hours[1])), 'zero degrees are a temperature');
  equal(weatherFacts({ precipitationMm: 0, snowCm: 0 }), []);
  equal(weatherFacts({ pm10: 101, pm10Grade: 'VERY_BAD', pm25: 3 }), [['PM10', 'very bad (101 µg/m³)'], ['PM2.5', '3 µg/m³']]);
  equal(warnings({ advice: ['slippery', 'unheard-of', 'good'] }), ['slippery']);
});

test('the focus of a route is its screen', () => {
  const screens = [[], ['friends'], ['places', 'favourites'], ['place', 'x'], ['new', 'place', 'x'], ['me'], ['notifications']]
    .map((path) => focusOf(path, true).screen);
  equal(screens, ['HOME', 'HOME', 'PLACES', 'PLACES', 'WRITING', 'OTHER', 'OTHER']);
  equal(focusOf(['promise', 'p'], false), { screen: 'MEETUP', promiseId: 'p', active: false });
  equal(focusOf(['promise', 'p', 'edit'], true), { screen: 'WRITING', promiseId: 'p', active: true });
});

test('the server’s count of unread notifications applies from the welcome', async () => {
  const asked = [];
  const call = (name) => {
    asked.push(name);
    return Promise.resolve({ unread: 3 });
  };
  const client = Object.assign(new EventTarget(), { call });
  const inbox = new Inbox(client);
  const send = (type, detail) => client.dispatchEvent(new CustomEvent(type, { detail }));
  send('welcome', { unread: { notifications: 2 } });
  send('event', { notification: { notification: { kind: 'NUDGED' } } });
  send('event', { notification: { notification: { kind: 'NUDGED', read: true } } });
  send('event', { positions: {} });
  await settle();
  equal([inbox.unread, asked], [3, ['listNotifications']]);
  send('welcome', {});
  equal(inbox.unread, 0);
});

test('a notification leads to its subject', () => {
  equal(routeOf({ kind: 'NUDGED', screen: 'MEETUP', promiseId: 'p' }), ['promise', 'p']);
  equal(routeOf({ kind: 'FRIEND_REQUESTED', screen: 'HOME', user: {} }), ['friends']);
  equal(routeOf({ kind: 'LATER_ONE', screen: 'OTHER' }), null);
  equal(notificationText({ kind: 'NUDGED', user: { nickname: 'Ben' } }), 'Ben nudges you: where are you?');
  equal(notificationText({ kind: 'LATER_ONE' }), 'Something happened that this page does not know');
});

test('a notification names its subject if the server tells it', () => {
  const ben = { nickname: 'Ben' };
  const told = (kind, fields) => notificationText({ kind, user: ben, ...fields });
  equal(told('INVITED', { title: 'Dinner', placeName: 'Café' }), 'Ben invites you to “Dinner” (Café)');
  equal(told('INVITED', {}), 'Ben invites you to a promise');
  equal(told('VISIT_MADE', { title: 'Tea', placeName: 'Café' }), 'Café: your arrival is now a visit');
  equal(told('VISIT_MADE', { title: 'Tea' }), 'You were there: your arrival is now a visit');
  equal(told('COURSE_SHARED', { title: 'River' }), 'Ben shares the course “River” with you');
  equal(told('RECORDING_INTERRUPTED', { title: '' }), 'A recording has had no new point for hours');
  // The name of a promise is no markup of the text, and no value of it.
  equal(told('RESULT_FINAL', { title: '{name}' }), 'The result of “{name}” is final');
  equal(told('FRIEND_REQUESTED', { title: 'Dinner' }), 'Ben wants to be your friend');
});

test('a link opens only http and https, except for maps', () => {
  equal(['https://a.example/', 'http://a.example/', 'javascript:alert(1)', 'data:text/html,x', 'geo:1,2', 'nonsense', ''].map((url) => openable(url)),
    ['https://a.example/', 'http://a.example/', null, null, null, null, null]);
  equal(openable('geo:1,2', ['http:', 'https:', 'geo:']), 'geo:1,2');
});

test('an unknown icon is replaced by the general one, and each outline can be drawn', () => {
  equal(outline('unheard-of'), outline('other'));
  for (const key of ['market', 'book-used', 'bicycle-air', 'cafe', 'HEAVY_RAIN', 'SLEET']) expect(new Path2D(outline(key)), key);
});

test('the event for its place and hour replaces a pending outlook', async () => {
  const replies = [{ at: AT, weatherState: 'PENDING' }];
  const watch = new OutlookWatch({ call: () => Promise.resolve(replies[0]) }, () => undefined);
  watch.watch({ placeId: 'p', at: AT });
  await until(() => watch.outlook);
  const ready = (placeId, at) => watch.event({ outlookReady: { placeId, outlook: { at, weatherState: 'READY' } } });
  ready('q', AT);
  ready('p', '2026-11-25T15:00:00Z');
  equal(watch.outlook.weatherState, 'PENDING');
  ready('p', AT);
  equal(watch.outlook.weatherState, 'READY');
  watch.watch(null);
  equal(watch.outlook, null);
});

test('a touch selects the signs under it, or else the nearest one in reach', () => {
  const signs = new PlaceSigns();
  const place = (id, x, y) => ({ id, at: [y, x], name: id, icon: 'cafe', opening: 'OPEN' });
  signs.set([place('a', 100, 100), place('b', 100, 100), place('c', 132, 100), { id: 'd', at: [200, 100], name: 'd', count: 1000 }]);
  const map = { getCenter: () => ({ lng: 0 }), latLngToContainerPoint: ([y, x]) => ({ x, y }) };
  const colours = new Proxy({}, { get: () => '#000' });
  signs.draw(document.createElement('canvas').getContext('2d'), map, { x: 400, y: 400 }, colours);
  const ids = (x, y) => signs.under({ x, y }).map(({ id }) => id).join('');
  equal([ids(100, 100), ids(132, 113), ids(132, 121), ids(132, 123), ids(100, 223), ids(300, 300)], ['ab', 'c', 'c', '', 'd', '']);
});
