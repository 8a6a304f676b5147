import { h, setText, show } from './dom.js';
import { t } from './strings.js';

/** The most toasts at a time: more would hide the page. */
const MOST_TOASTS = 3;
const TOAST_MS = 5000;
/** States of a connection that are worth a word. */
const TOLD = ['waiting', 'replaced', 'outdated'];

/** The page's notices beside its content: in passing, to screen readers, and of the connection. */
export class Notices {
  #byId;
  #reconnect;

  /**
   * @param {(id: string) => HTMLElement} byId the page's fixed elements
   * @param {() => void} reconnect what the banner's button does
   */
  constructor(byId, reconnect) {
    this.#byId = byId;
    this.#reconnect = reconnect;
  }

  /** Tells something in passing: shown for a while, and read out by screen readers. */
  say(text, { isUrgent = false } = {}) {
    setText(this.#byId(isUrgent ? 'assertive' : 'polite'), text);
    const toast = h('div.toast', {}, text);
    const toasts = this.#byId('toasts');
    toasts.append(toast);
    if (toasts.children.length > MOST_TOASTS) toasts.firstChild.remove();
    setTimeout(() => toast.remove(), TOAST_MS);
  }

  /** Reads something out without showing it: it can be seen already. */
  announce(text) {
    setText(this.#byId('polite'), text);
  }

  /**
   * Says how the connection is where that is worth a word, in a banner over everything.
   * @param {string|null} state as of `PromisedClient` and `PromisedViewer`; null for none
   * @param {{trouble?: string|null}} [more] the code of an error that is the reason
   */
  showConnection(state, { trouble = null } = {}) {
    const banner = this.#byId('banner');
    // An attempt after a cut still is the cut.
    const isTold = TOLD.includes(state) || (state === 'connecting' && !banner.hidden);
    show(banner, isTold);
    if (!isTold) return;
    const [spinner, text, again] = this.#parts(banner);
    setText(text, trouble ? t('error.' + trouble) : t(state === 'connecting' ? 'state.waiting' : 'state.' + state));
    show(spinner, state !== 'replaced' && state !== 'outdated');
    show(again, state !== 'outdated');
  }

  /** They stay, so that nobody presses a button that has just been replaced. */
  #parts(banner) {
    if (!banner.firstChild) {
      const again = h('button.small', { type: 'button', onclick: this.#reconnect }, t('connect-now'));
      banner.append(h('span.spinner', { 'aria-hidden': 'true' }), h('span'), again);
    }
    return banner.children;
  }
}
