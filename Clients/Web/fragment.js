/**
 * The address bar's fragment: a route (`#/promise/ID`), or a code (`#demo=CODE`, `#view=CODE`); an invite link has its
 * code in the path (`/j/CODE`). A code is a secret: it is removed from the address bar and the history before anything
 * else happens.
 */

/** The route of people with a view link, once its code is out of the address bar. */
export const WATCHING = 'watch';

/** Removes a code from the address. @returns {{kind: 'demo'|'view'|'invite', code: string}|null} */
export function takeCode() {
  const invited = /^\/j\/([\w-]{1,40})$/.exec(location.pathname);
  if (invited) {
    history.replaceState(null, '', '/' + location.hash);
    return { kind: 'invite', code: invited[1] };
  }
  const found = /^#(demo|view)=([\w-]{1,128})$/.exec(location.hash);
  if (!found) return null;
  const [, kind, code] = found;
  history.replaceState(null, '', location.pathname + (kind === 'view' ? link(WATCHING) : ''));
  return { kind, code };
}

/**
 * The address of this page for people without an account: the code is in the fragment, which never reaches the server.
 */
export const viewAddress = (code) => `${location.origin}${location.pathname}#view=${code}`;

/** The address that invites everybody who has it. */
export const inviteAddress = (origin, code) => `${origin}/j/${code}`;

/** The route in the fragment: its parts after `#/`; empty for the start. */
export function route() {
  const path = location.hash.startsWith('#/') ? location.hash.slice(2) : '';
  return path.split('/').filter(Boolean);
}

/** The link to a route of the page. */
export const link = (...parts) => '#/' + parts.join('/');

/** Opens a route, as a step in the browser's history. */
export function go(...parts) {
  location.hash = link(...parts);
}
