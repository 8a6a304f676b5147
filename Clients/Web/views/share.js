import { dayOf } from '../format.js';
import { link } from '../fragment.js';
import { t } from '../strings.js';
import { field, openDialog } from './parts.js';

/**
 * Shares a place, a promise or a course with another app.
 * @param {App} app
 * @param {Element} button
 * @param {{placeId: string}|{promiseId: string}|{courseId: string}} subject
 * @param {string[]} [path] of the view that opens with the text's link; without one the text has the server's links alone
 */
export function share(app, button, subject, path = null) {
  return app.run(button, async () => {
    const { text = '' } = await app.client.call('getShareText', subject);
    const address = path && new URL(link(...path), location.href).href;
    return pass(app, { text: [text, address].filter(Boolean).join('\n') });
  });
}

/** Shares the user's own visit: its text with the name of the place and the day, and its photos where the browser can. */
export function shareVisit(app, button, visit) {
  return app.run(button, async () => {
    const { photos = [] } = visit;
    const files = await Promise.all(photos.map(async ({ file: { fileId, contentType } }, index) =>
      new File([await app.client.readFile(fileId)], `${index + 1}.${contentType?.split('/')[1] ?? 'jpg'}`, { type: contentType })));
    const whole = { text: visitText(visit), files };
    return pass(app, files.length > 0 && navigator.canShare?.(whole) ? whole : { text: whole.text });
  });
}

function visitText({ title, memo, emoji, place = {}, localDate }) {
  const where = [place.name, localDate && dayOf(localDate)].filter(Boolean).join(' · ');
  return [[emoji, title].filter(Boolean).join(' '), memo, where].filter(Boolean).join('\n');
}

/** Passes something on by the browser's own dialog, else its text by the clipboard, else as a text to copy by hand. */
async function pass(app, content) {
  const { text } = content;
  if (navigator.share) return navigator.share(content).catch(({ name }) => name === 'AbortError' || show(text));
  try {
    await navigator.clipboard.writeText(text);
    return app.say(t('share.copied'));
  } catch {
    // Pages without TLS have no clipboard.
    return show(text);
  }
}

function show(text) {
  const copy = field(t('share.text'), { readonly: true, rows: 8, value: text }, null, 'textarea');
  openDialog(t('share'), copy);
  copy.querySelector('textarea').select();
}
