import { h, keep, mark, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { t } from '../strings.js';

/**
 * Shows over any other view the promises in which the position is shared; each links to its promise, where it can be
 * stopped.
 */
export function drawSharingSign(element, shares) {
  if (!element.hasAttribute('aria-label')) element.setAttribute('aria-label', t('share.title'));
  show(element, shares.length > 0);
  keep(element, shares, ({ promiseId }) => promiseId, ({ promiseId }) => {
    const root = h('a', { href: link('promise', promiseId) });
    return { root, update: ({ title, trouble }) => {
      mark(root, 'data-trouble', trouble !== null);
      setText(root, t(trouble === null ? 'share.beside' : 'share.beside-trouble', { title }));
    } };
  });
}
