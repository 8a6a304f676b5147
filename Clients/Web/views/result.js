import { h, show } from '../dom.js';
import { exactTime, fromMeeting, money, span } from '../format.js';
import { t } from '../strings.js';
import { openExplanation } from './explanation.js';
import { ask, avatar, field, mockSign, nameOf, openDialog, small, statisticsList } from './parts.js';

const EXCUSE_DAYS = 7;

/** The final table. */
export class ResultPart {
  #view;
  #drawn = null;

  constructor(view) {
    this.#view = view;
    this.root = h('section.result', { hidden: true });
  }

  draw() {
    const { result } = this.#view.meetup;
    show(this.root, Boolean(result));
    const shape = JSON.stringify(result);
    if (!result || shape === this.#drawn) return;
    this.#drawn = shape;
    // Few enough for the panel: the outcome, the time and the difference share a column.
    const columns = ['rank', 'who', 'arrival', 'owes'];
    const table = h('table', {},
      h('caption.unseen', {}, t('result')),
      h('thead', {}, h('tr', {}, columns.map((key) => h('th', { scope: 'col' }, t(key))))),
      h('tbody', {}, (result.rows ?? []).map((row) => this.#row(row, result))),
      result.penaltyTotal > 0 && h('tfoot', {}, h('tr', {}, h('th', { scope: 'row', colspan: 3 }, t('total')),
        h('td', {}, money(result.penaltyTotal, result.penalty.currency)))));
    this.root.replaceChildren(h('h2', {}, t('result')), h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': t('result') }, table));
  }

  #row(row, result) {
    const { user, outcome } = row;
    const owed = row.penaltyOwed ? money(row.penaltyOwed, result.penalty?.currency ?? 'XXX') : '–';
    const when = row.creditedAt && [exactTime(row.creditedAt), fromMeeting(row.secondsFromMeeting ?? 0, outcome)].map((text) => h('small', {}, text));
    return h('tr', {},
      h('td', {}, row.rank ? h('span.rank', { 'data-rank': row.rank <= 3 ? row.rank : null }, String(row.rank)) : '–'),
      h('th', { scope: 'row' }, h('button.who', { type: 'button', onclick: () => this.#person(row) }, avatar(user), h('span', {}, nameOf(user)))),
      h('td.when', {}, h('span.outcome', { 'data-outcome': outcome }, t('outcome.' + outcome)), when, row.mock && mockSign()),
      h('td', {}, owed));
  }

  /** A participant's row in full: the explanation, statistics, and the owner's actions. */
  async #person(row) {
    const { app, id } = this.#view;
    const { user } = row;
    const reply = user.deleted ? null : await app.run(null, () => app.client.call('getStatistics', { userId: user.userId }));
    const dialog = openDialog(nameOf(user), h('div.stack', {},
      row.mock && h('p', {}, t('mock.hint')),
      row.excusedReason && h('p', {}, `${t('reason')}: ${row.excusedReason}`),
      // A reply that did not come is no empty reply.
      reply && [h('h3', {}, t('statistics')), statisticsList(reply, { span })],
      h('div.buttons', {},
        this.#view.mayExplain(user) && small(t('why'), () => {
          dialog.close();
          openExplanation(this.#view, user);
        }, { name: t('why-name', { name: nameOf(user) }) }),
        this.#mayExcuse(row) && small(t('excuse'), (button) => {
          dialog.close();
          this.#excuse(row, button, id);
        }, { name: t('excuse-name', { name: nameOf(user) }) }))));
  }

  #mayExcuse({ user, outcome }) {
    const { app, meetup, isOwner } = this.#view;
    const isInTime = app.client.clock.now() < Date.parse(meetup.result.finalAt) + EXCUSE_DAYS * 86_400_000;
    return isOwner && isInTime && outcome !== 'EXCUSED' && user.userId !== app.client.user?.userId;
  }

  async #excuse({ user }, button, promiseId) {
    const { app, meetup } = this.#view;
    const reason = field(t('reason'), { name: 'reason', required: true, maxlength: 200 });
    const data = await ask({ title: t('excuse-name', { name: nameOf(user) }), content: [reason], confirm: t('excuse') });
    if (!data) return;
    const request = { promiseId, userId: user.userId, reason: data.get('reason').trim() };
    const result = await app.run(button, () => app.client.call('excuse', request));
    if (!result) return;
    meetup.result = result;
    this.draw();
  }
}
