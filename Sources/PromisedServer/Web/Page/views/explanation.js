import { h } from '../dom.js';
import { distance, exactTime } from '../format.js';
import { has, t } from '../strings.js';
import { nameOf, openDialog, small } from './parts.js';

/** Shows why somebody's arrival is what it is: the rule's clause, the crossing, the positions, the revisions. */
export async function openExplanation(view, user) {
  const { app, id } = view;
  const request = { promiseId: id, userId: user.userId };
  const first = await app.run(null, () => app.client.call('explainArrival', request));
  if (!first) return;
  // The changes come first, mostly on the page on which the positions begin.
  while (first.cursor && !first.fixes?.length) {
    const next = await app.run(null, () => app.client.call('explainArrival', { ...request, cursor: first.cursor }));
    if (!next) return;
    first.revisions = [...first.revisions ?? [], ...next.revisions ?? []];
    first.fixes = next.fixes;
    first.cursor = next.cursor;
  }
  // Another view was opened meanwhile.
  if (!view.root.isConnected) return;
  const rows = h('tbody', {}, (first.fixes ?? []).map(fixRow));
  const more = h('p');
  const offer = (cursor) => more.replaceChildren(cursor ? small(t('more'), (button) => app.run(button, async () => {
    const next = await app.client.call('explainArrival', { ...request, cursor });
    rows.append(...(next.fixes ?? []).map(fixRow));
    offer(next.cursor);
  })) : '');
  offer(first.cursor);
  openDialog(t('explain.title', { name: nameOf(user) }), h('div.explanation', {}, ...summary(first), ...revisions(first),
    first.fixes?.length > 0 && h('details', {}, h('summary', {}, t('explain.fixes')), table(rows)), more));
}

function summary({ arrival, clause, crossing, provisionalAt, confirmedAt }) {
  if (!arrival) return [h('p', {}, t('explain.none'))];
  const lines = [t('explain.credited', { time: exactTime(arrival.creditedAt), rank: arrival.rank ?? '–' })];
  if (has('source.' + arrival.source)) lines.push(t('source.' + arrival.source));
  if (has('clause.' + clause)) lines.push(t('clause.' + clause));
  if (crossing?.insideAt) {
    lines.push(t('explain.crossing', {
      outside: exactTime(crossing.outsideAt), outsideDistance: distance(crossing.outsideDistanceMetres ?? 0),
      inside: exactTime(crossing.insideAt), insideDistance: distance(crossing.insideDistanceMetres ?? 0),
    }));
  }
  if (provisionalAt) lines.push(t('explain.provisional', { time: exactTime(provisionalAt) }));
  if (confirmedAt) lines.push(t('explain.confirmed', { time: exactTime(confirmedAt) }));
  return [h('ul', {}, lines.map((line) => h('li', {}, line)))];
}

function revisions({ revisions: list = [] }) {
  if (list.length === 0) return [];
  return [h('h3', {}, t('explain.revisions')), h('ul', {}, list.map(({ at, cause }) => h('li', {}, `${exactTime(at)} · ${has('revision.' + cause) ? t('revision.' + cause) : cause}`)))];
}

function table(rows) {
  const columns = ['fix.time', 'fix.distance', 'fix.error', 'fix.use'];
  const head = h('thead', {}, h('tr', {}, columns.map((key) => h('th', { scope: 'col' }, t(key)))));
  const label = t('explain.fixes');
  return h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': label }, h('table', {}, head, rows));
}

/** A row of the table. A refused position has neither a time of its own nor a distance: it shows when the server received it. */
function fixRow({ fixTime, receivedAt, distanceMetres = 0, errorMetres = 0, use, code }) {
  const cells = fixTime ? [exactTime(fixTime), distance(distanceMetres), distance(errorMetres)]
    : [receivedAt ? exactTime(receivedAt) : '–', '–', '–'];
  return h('tr', {}, cells.map((text) => h('td', {}, text)), h('td', { 'data-use': use }, useOf(use, code)));
}

function useOf(use, code) {
  const words = has('use.' + use) ? t('use.' + use) : String(use ?? '–');
  return code ? t('use.because', { use: words, reason: has('refusal.' + code) ? t('refusal.' + code) : code }) : words;
}
