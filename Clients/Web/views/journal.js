import { h } from '../dom.js';
import { link } from '../fragment.js';
import { t } from '../strings.js';

const TABS = [['visits', ['visits']], ['badges', ['visits', 'badges']], ['courses', ['courses']], ['record', ['record']]];

/** The links between the parts of a user's journal. @param {string} at the visible part */
export const journalTabs = (at) => h('nav.tabs', { 'aria-label': t('journal') }, TABS.map(([name, route]) =>
  h('a', { href: link(...route), 'aria-current': name === at ? 'page' : null }, t(name))));
