import { h } from '../dom.js';
import { date } from '../format.js';
import { icon } from '../icons.js';
import { has, t } from '../strings.js';
import { journalTabs } from './journal.js';
import { regionNames } from './visits.js';

const HIGHEST = 10;
/** The provinces of Korea by their ISO 3166-2 codes; the page has their names. */
const PROVINCES = [11, 26, 27, 28, 29, 30, 31, 50, 41, 42, 43, 44, 45, 46, 47, 48, 49].map((number) => 'KR-' + number);

/** The statistics of the user's visits: level, badges, categories and regions. */
export class BadgesView {
  #app;

  constructor(app) {
    this.#app = app;
    this.body = h('div.stack', {}, h('p.quiet', {}, t('loading')));
    this.root = h('section.badges', {}, journalTabs('badges'), h('h1', {}, t('badges')), this.body);
  }

  async online() {
    try {
      const [statistics] = await Promise.all([this.#app.client.call('getVisitStatistics', {}), this.#app.directory.categories()]);
      const regions = await regionNames(this.#app.directory, statistics.regions ?? []);
      this.#draw(statistics, new Map(regions));
    } catch (error) {
      this.#app.fail(error);
    }
  }

  event({ visitMade }) {
    if (visitMade) this.online();
  }

  #draw({ visits = 0, counted = 0, places = 0, level = 1, toNext = 0, categories = [], regions = [], badges = [] }, names) {
    const numbers = [['visits', visits], ['visits.counted', counted], ['places', places]];
    this.body.replaceChildren(
      h('div.level', {}, h('strong', {}, t('level', { n: level })),
        h('p.quiet', {}, level >= HIGHEST ? t('level.highest') : t('level.next', { n: toNext }))),
      h('dl.numbers', {}, numbers.map(([key, value]) => h('div', {}, h('dt', {}, t(key)), h('dd', {}, String(value))))),
      h('p.quiet', {}, t('visits.counted.hint')),
      h('section', {}, h('h2', {}, t('badges.earned')), h('ul.badge-list', {}, badges.map(badgeItem))),
      this.#provinces(regions, names), this.#categories(categories));
  }

  /** The provinces of Korea, visited or not, and regions elsewhere. */
  #provinces(regions, names) {
    const counts = new Map(regions.map(({ code, counted = 0 }) => [code, counted]));
    const codes = [...PROVINCES, ...[...counts.keys()].filter((code) => !PROVINCES.includes(code))];
    return h('section', {}, h('h2', {}, t('provinces')), h('p.quiet', {}, t('provinces.visited', {
      n: PROVINCES.filter((code) => counts.has(code)).length, of: PROVINCES.length,
    })), h('ul.provinces', {}, codes.map((code) => h('li', { 'data-visited': counts.has(code) },
      h('span', {}, names.get(code) ?? t('region.' + code)),
      h('span.number', {}, counts.has(code) ? String(counts.get(code)) : '–')))));
  }

  #categories(categories) {
    const { directory } = this.#app;
    if (categories.length === 0) return '';
    return h('section', {}, h('h2', {}, t('categories')), h('ul.rows', {}, categories.map(({ id, counted, level }) =>
      h('li.row', {}, h('span.mark', {}, icon(directory.icon(id))), h('span.grow', {}, directory.name(id)),
        h('span.quiet', {}, `${t('level', { n: level ?? 1 })} · ${t('visits.n', { n: counted ?? 0 })}`)))));
  }
}

function badgeItem({ id, earnedAt, progress = 0, goal = 1 }) {
  const name = has('badge.' + id) ? t('badge.' + id) : id;
  return h('li', { 'data-earned': Boolean(earnedAt) }, icon('badge'), h('div.grow', {}, h('strong', {}, name),
    h('p.quiet', {}, earnedAt ? t('badge.earned', { date: date(earnedAt) }) : t('badge.progress', { n: progress, of: goal })),
    !earnedAt && h('progress', { max: goal, value: progress, 'aria-label': name })));
}
