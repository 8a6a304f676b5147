import { colourOf, initials } from '../colours.js';
import { h } from '../dom.js';
import { putFace } from '../faces.js';
import { t } from '../strings.js';

let count = 0;

/** A labelled input, with a hint for screen readers, too. */
export function field(label, attributes = {}, hint = null, tag = 'input') {
  count += 1;
  const id = 'field-' + count;
  const input = h(tag, { id, 'aria-describedby': hint ? id + '-hint' : null, ...attributes });
  return h('div.field', {}, h('label', { for: id }, label), input, hint && h('small', { id: id + '-hint' }, hint));
}

/**
 * A labelled choice of one.
 * @param {Array<[string|number, string]>} options values and their words
 */
export function choice(label, name, options) {
  count += 1;
  const id = 'field-' + count;
  const list = h('select', { id, name }, options.map(([value, words]) => h('option', { value }, words)));
  return h('div.field', {}, h('label', { for: id }, label), list);
}

/** The picture beside a single card; decorative. */
export const scene = () => h('img.scene', { src: '/assets/scene.svg', alt: '' });

/** A user's disc with their letters or profile picture, hidden from screen readers: it has the name beside it. */
export function avatar(user) {
  const disc = h('span.avatar', { 'aria-hidden': 'true' }, initials(nameOf(user)));
  disc.style.background = colourOf(user.userId);
  putFace(disc, user.picture);
  return disc;
}

/** The mark of an arrival that is based on simulated positions. */
export const mockSign = () => h('span.chip.mock', { title: t('mock.hint') }, t('mock'));

/** The displayed name of a user. */
export const nameOf = (user) => (user.deleted ? t('deleted-user') : user.nickname ?? '');

/** A row of a list: a person and the actions. */
export function personRow(user, ...actions) {
  return h('li.row', {}, avatar(user), h('span.grow', {}, nameOf(user)), ...actions);
}

/** A small button; its label is a text or elements. `name` is the text for screen readers, for lists with the same visible word in each row. */
export function small(label, onclick, { name = null, kind = '' } = {}) {
  const button = h('button.small' + (kind ? '.' + kind : ''), { type: 'button', 'aria-label': name }, label);
  button.addEventListener('click', () => onclick(button));
  return button;
}

/**
 * Opens a dialog with a question; the browser traps the focus inside and restores it.
 * @param {{title: string, content?: Node[], confirm: string, isGrave?: boolean}} question
 * @returns {Promise<FormData|null>} the input; null if it was closed
 */
export function ask({ title, content = [], confirm, isGrave = false }) {
  return new Promise((resolve) => {
    const form = h('form.stack', { method: 'dialog' }, ...content,
      h('div.buttons', {},
        h('button', { type: 'button', onclick: () => dialog.close() }, t('cancel')),
        h(isGrave ? 'button.grave' : 'button.primary', { type: 'submit' }, confirm)));
    const dialog = openDialog(title, form, () => resolve(null));
    form.addEventListener('submit', () => resolve(new FormData(form)));
  });
}

/** Opens a dialog with a title and a button to close it. */
export function openDialog(title, body, onClose = () => {}) {
  const close = h('button.close', { type: 'button', 'aria-label': t('close'), onclick: () => dialog.close() }, '×');
  const dialog = h('dialog', { 'aria-label': title }, h('header', {}, h('h2', {}, title), close), body);
  dialog.addEventListener('close', () => {
    dialog.remove();
    onClose();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** The figures of a user's statistics. */
export function statisticsList(statistics, { span }) {
  if (!statistics?.counted) return h('p.quiet', {}, t('stat.none'));
  const percent = statistics.punctualityPercent;
  const entries = [
    ['stat.punctual', percent === undefined ? '–' : Math.round(percent) + ' %'],
    ['stat.counted', statistics.counted], ['stat.early', statistics.early ?? 0],
    ['stat.onTime', statistics.onTime ?? 0], ['stat.late', statistics.late ?? 0],
    ['stat.noShow', statistics.noShow ?? 0], ['stat.mean', statistics.late ? span(statistics.meanLatenessSeconds ?? 0) : '–'],
    ['stat.best', statistics.bestRank || '–'],
  ];
  return h('dl.numbers', {}, entries.map(([key, value]) => h('div', {}, h('dt', {}, t(key)), h('dd', {}, String(value)))));
}
