/**
 * The address bar's fragment: where one is (`#/promise/ID`), or a code that was handed over (`#demo=CODE`,
 * `#view=CODE`). A code is a secret: it is taken out of the address bar and the history before anything else happens.
 */

/** Where people are who watch by a link, once its code is out of the address bar. */
export const WATCHING = 'watch';

/** Takes a code out of the fragment. @returns {{kind: 'demo'|'view', code: string}|null} */
export function takeCode() {
  const found = /^#(demo|view)=([\w-]{1,128})$/.exec(location.hash);
  if (!found) return null;
  const [, kind, code] = found;
  history.replaceState(null, '', location.pathname + (kind === 'view' ? link(WATCHING) : ''));
  return { kind, code };
}

/** The address that opens this page for people without an account: the code is in the fragment, which stays here. */
export const viewAddress = (code) => `${location.origin}${location.pathname}#view=${code}`;

/** Where the fragment points: its parts after `#/`; empty for the start. */
export function route() {
  const path = location.hash.startsWith('#/') ? location.hash.slice(2) : '';
  return path.split('/').filter(Boolean);
}

/** The link to a place of the page. */
export const link = (...parts) => '#/' + parts.join('/');

/** Goes there, as a step that the back button takes back. */
export function go(...parts) {
  location.hash = link(...parts);
}
