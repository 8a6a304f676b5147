import { ACTIVITIES } from '../courses.js';
import { h } from '../dom.js';
import { t } from '../strings.js';
import { choices } from '../visits.js';
import { ask, choice, field } from './parts.js';
import { PhotoEditsPart } from './photoedits.js';

/**
 * Opens a dialog to change a course: texts, activity, folder, photos.
 * @returns {Promise<object|null>} the changed course; null without a change
 */
export async function openCourseEditor(app, course, _, pictures) {
  const { title, memo = '', activity = 'OTHER', folderId, photos = [] } = course;
  const { folders = [] } = await app.client.call('listFolders', {});
  const activities = choice(t('activity'), 'activity', ACTIVITIES.map((one) => [one, t('activity.' + one)]));
  const folder = choice(t('folder'), 'folderId', folders.map((one) => [one.folderId, [one.emoji, one.title].filter(Boolean).join(' ')]));
  activities.querySelector('select').value = activity;
  folder.querySelector('select').value = folderId;
  const edits = new PhotoEditsPart(app, pictures, () => {
    for (const button of edits.root.closest('form')?.querySelectorAll('[type=submit]') ?? []) button.disabled = edits.isBusy;
  });
  const answer = ask({ title: t('course.edit'), confirm: t('save'), content: [
    field(t('title'), { name: 'title', required: true, maxlength: 60, autocomplete: 'off', value: title }), folder, activities,
    field(t('visit.memo'), { name: 'memo', maxlength: 2000, rows: 4, value: memo }, null, 'textarea'), edits.root,
  ] });
  edits.show(photos, (index) => photos[index].caption || t('photo.number', { n: index + 1 }));
  const data = await answer;
  const chosen = edits.choices;
  edits.leave();
  if (!data) return null;
  const changed = changesOf(course, data, chosen);
  if (Object.keys(changed).length === 0) return null;
  const { courseId, version } = course;
  return app.client.call('updateCourse', { courseId, version, ...changed });
}

/** The changed fields for `updateCourse`. */
function changesOf({ title, memo = '', activity = 'OTHER', folderId, photos = [] }, data, chosen) {
  const text = (name) => data.get(name).trim();
  const before = { title, memo, activity, folderId };
  const after = { title: text('title'), memo: text('memo').replaceAll('\r\n', '\n'), activity: data.get('activity'), folderId: data.get('folderId') };
  const changed = Object.fromEntries(Object.entries(after).filter(([key, value]) => value !== before[key]));
  if (JSON.stringify(chosen) !== JSON.stringify(choices(photos))) Object.assign(changed, chosen.length ? { photos: chosen } : { withoutPhotos: true });
  return changed;
}
