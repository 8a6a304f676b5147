import { h, keep, mark, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { t } from '../strings.js';
import { small } from './parts.js';

/**
 * Shows over any other view the promises in which the position is shared: each links to its promise, and has a button
 * that stops sharing.
 *
 * @param {Element} element
 * @param {Share[]} shares
 * @param {{isOnline: boolean, onStop: (promiseId: string, button: Element) => void}} options
 */
export function drawSharingSign(element, shares, { isOnline, onStop }) {
  if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', t('share.title'));
  show(element, shares.length > 0);
  keep(element, shares.map((share) => ({ ...share, isOnline })), ({ promiseId }) => promiseId, ({ promiseId, title }) => {
    const way = h('a', { href: link('promise', promiseId) });
    const stop = small(t('sign.stop'), (button) => onStop(promiseId, button), { name: t('share.stop-name', { title }) });
    const root = h('div.sign-line', {}, way, stop);
    return { root, update: (share) => {
      const state = stateOf(share);
      mark(root, 'data-trouble', state !== '');
      setText(way, t('share.beside' + state, { title: share.title }));
    } };
  });
}

/** The ending of the key of a share's words. */
function stateOf({ trouble, rejected, isOnline }) {
  if (trouble !== null) return '-trouble';
  if (!isOnline) return '-offline';
  return rejected === null ? '' : '-rejected';
}
