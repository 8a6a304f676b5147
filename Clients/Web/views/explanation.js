import { h } from '../dom.js';
import { distance, exactTime } from '../format.js';
import { reasons, refusal } from '../reasons.js';
import { has, t } from '../strings.js';
import { nameOf, openDialog, small } from './parts.js';

/** The sentences in front; the others lie behind them, with the evidence. */
const IN_FRONT = 4;

/** Shows the reasons for a participant's arrival, or for a missing one: sentences, and the evidence folded behind. */
export async function openExplanation(view, user) {
  const { app, id } = view;
  const request = { promiseId: id, userId: user.userId };
  const first = await app.run(null, () => app.client.call('explainArrival', request));
  if (!first) return;
  // The changes come first, mostly on the page on which the positions begin.
  while (first.cursor && !first.fixes?.length) {
    const next = await app.run(null, () => app.client.call('explainArrival', { ...request, cursor: first.cursor }));
    if (!next) return;
    Object.assign(first, next, { revisions: [...first.revisions ?? [], ...next.revisions ?? []], cursor: next.cursor });
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
  const sentences = reasons(first, subject(view, user)).map((line) => h('li', {}, line));
  const evidence = [
    sentences.length > IN_FRONT && h('ul', {}, sentences.slice(IN_FRONT)), ...revisions(first),
    first.fixes?.length > 0 && [h('h3', {}, t('explain.fixes')), table(rows), more],
    first.ruleVersion && h('p.quiet', {}, t('explain.version', { n: first.ruleVersion })),
  ].filter(Boolean);
  openDialog(t(first.arrival ? 'explain.title' : 'explain.title-none', { name: nameOf(user) }), h('div.explanation', {},
    h('ul', {}, sentences.slice(0, IN_FRONT)),
    evidence.length > 0 && h('details', {}, h('summary', {}, t('explain.details')), h('div.stack', {}, evidence))));
}

/** The participant of the explanation, and the reader. */
function subject({ meetup, me, status, clock }, user) {
  const isMe = user.userId === me;
  const { promise, result } = meetup;
  const arrivals = result ? (result.rows ?? []).filter((row) => row.creditedAt) : meetup.arrived.map(({ user: card, arrival }) => ({ ...arrival, user: card }));
  return {
    name: nameOf(user), isMe, radius: promise.radiusMetres ?? 50, graceMs: promise.rule?.graceMs ?? 0, mayCheckIn: isMe && status === 'TRACKING',
    until: Math.min(clock.now(), Date.parse(promise.closesAt)),
    others: arrivals.filter((one) => one.user.userId !== user.userId).map(({ user: other, rank, creditedAt }) =>
      ({ name: nameOf(other), userId: other.userId, rank, creditedAt })),
  };
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

/**
 * A row of the table. A refused position has neither its own time nor a distance: the row shows when the server
 * received it.
 */
function fixRow(fix) {
  const { fixTime, receivedAt, distanceMetres = 0, errorMetres = 0, use } = fix;
  const error = use === 'UNUSABLE' ? Math.ceil(errorMetres) : errorMetres;
  const cells = fixTime ? [exactTime(fixTime), distance(distanceMetres), distance(error)]
    : [receivedAt ? exactTime(receivedAt) : '–', '–', '–'];
  return h('tr', {}, cells.map((text) => h('td', {}, text)), h('td', { 'data-use': use }, useOf(fix)));
}

function useOf({ use, code, limitMetres }) {
  if (use === 'UNUSABLE' && limitMetres !== undefined) return t('use.UNUSABLE.limit', { limit: distance(limitMetres) });
  const words = has('use.' + use) ? t('use.' + use) : String(use ?? '–');
  return code ? t('use.because', { use: words, reason: refusal(code) }) : words;
}
