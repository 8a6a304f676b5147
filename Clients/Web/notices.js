import { h, setText, show } from './dom.js';
import { t } from './strings.js';

/** The most simultaneous toasts: more would hide the page. */
const MOST_TOASTS = 3;
const TOAST_MS = 5000;
/** The noteworthy connection states. */
const TOLD = ['waiting', 'replaced', 'outdated'];

/** The page's notices beside its content: toasts, announcements to screen readers, and the connection banner. */
export class Notices {
  #byId;
  #reconnect;

  /**
   * @param {(id: string) => HTMLElement} byId the page's fixed elements
   * @param {() => void} reconnect the action of the banner's button
   */
  constructor(byId, reconnect) {
    this.#byId = byId;
    this.#reconnect = reconnect;
  }

  /** Shows a toast for a while; screen readers announce it. */
  say(text, { isUrgent = false } = {}) {
    setText(this.#byId(isUrgent ? 'assertive' : 'polite'), text);
    const toast = h('div.toast', {}, text);
    const toasts = this.#byId('toasts');
    toasts.append(toast);
    if (toasts.children.length > MOST_TOASTS) toasts.firstChild.remove();
    setTimeout(() => toast.remove(), TOAST_MS);
  }

  /** Announces a text to screen readers only: it is already visible. */
  announce(text) {
    setText(this.#byId('polite'), text);
  }

  /**
   * Shows a noteworthy connection state, in a banner over everything.
   * @param {string|null} state as of `PromisedClient` and `PromisedViewer`; null for none
   * @param {{trouble?: string|null}} [more] the code of an error that is the reason
   */
  showConnection(state, { trouble = null } = {}) {
    const banner = this.#byId('banner');
    // After a cut, an attempt to connect still counts as the cut.
    const isTold = TOLD.includes(state) || (state === 'connecting' && !banner.hidden);
    show(banner, isTold);
    if (!isTold) return;
    const [spinner, text, again] = this.#parts(banner);
    setText(text, trouble ? t('error.' + trouble) : t(state === 'connecting' ? 'state.waiting' : 'state.' + state));
    show(spinner, state !== 'replaced' && state !== 'outdated');
    show(again, state !== 'outdated');
  }

  /** The elements are reused, so that nobody presses a button that has just been replaced. */
  #parts(banner) {
    if (!banner.firstChild) {
      const again = h('button.small', { type: 'button', onclick: this.#reconnect }, t('connect-now'));
      banner.append(h('span.spinner', { 'aria-hidden': 'true' }), h('span'), again);
    }
    return banner.children;
  }
}
