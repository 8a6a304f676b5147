import { t } from '../strings.js';
import { field, openDialog } from './parts.js';

/**
 * Shares a place or a promise with another app: by the browser's own dialog, else by the clipboard, else as a text to
 * copy by hand.
 * @param {App} app
 * @param {Element} button
 * @param {{placeId: string}|{promiseId: string}} subject
 */
export function share(app, button, subject) {
  return app.run(button, async () => {
    const { text = '' } = await app.client.call('getShareText', subject);
    if (navigator.share) return navigator.share({ text }).catch(({ name }) => name === 'AbortError' || show(text));
    try {
      await navigator.clipboard.writeText(text);
      return app.say(t('share.copied'));
    } catch {
      // Pages without TLS have no clipboard.
      return show(text);
    }
  });
}

function show(text) {
  const copy = field(t('share.text'), { readonly: true, rows: 8, value: text }, null, 'textarea');
  openDialog(t('share'), copy);
  copy.querySelector('textarea').select();
}
