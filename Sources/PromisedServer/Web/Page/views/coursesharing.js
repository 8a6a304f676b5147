import { COURSE_AUDIENCES, pathOf, segmentsOf, shownPart } from '../courses.js';
import { h, setText, show } from '../dom.js';
import { distance } from '../format.js';
import { allPages } from '../pages.js';
import { t } from '../strings.js';
import { svg } from './courserow.js';
import { ask, choice, field, nameOf } from './parts.js';

const SIZE = 260;
const MOST_HIDDEN = 1000;

/**
 * Asks who may see a course, with a picture of the part that they see.
 * @returns {Promise<object|null>} the shared course; null without a change
 */
export async function openCourseSharing(app, course, points) {
  const friends = await allPages(app.client, 'listFriends', 'users');
  const { courseId, audience = 'PRIVATE', people = [], hideMetres = 0 } = course;
  const box = choice(t('audience'), 'audience', COURSE_AUDIENCES.map((one) => [one, t('audience.' + one)]));
  const select = box.querySelector('select');
  select.value = audience;
  const chosen = new Set(people.map(({ userId }) => userId));
  const list = h('fieldset', {}, h('legend', {}, t('friends')), friends.map((user) => h('label.check', {},
    h('input', { type: 'checkbox', name: 'person', value: user.userId, checked: chosen.has(user.userId) }), nameOf(user))));
  const hide = field(t('hide-metres'), { name: 'hideMetres', type: 'number', min: 0, max: MOST_HIDDEN, step: 50, required: true, value: hideMetres },
    t('hide-metres.hint'));
  const preview = previewOf(segmentsOf(points));
  const update = () => {
    show(list, select.value === 'PEOPLE');
    show(preview.root, select.value !== 'PRIVATE');
    preview.draw(hide.querySelector('input').valueAsNumber || 0);
  };
  const content = h('div.stack', { oninput: update }, box, list, hide, preview.root);
  update();
  const data = await ask({ title: t('course.share'), content: [content], confirm: t('save') });
  if (!data) return null;
  const userIds = data.get('audience') === 'PEOPLE' ? data.getAll('person') : [];
  return app.client.call('shareCourse', { courseId, audience: data.get('audience'), userIds, hideMetres: Number(data.get('hideMetres')) });
}

/** A picture of the whole way, pale, with the part that others see at most on top: the server alone knows how much more it hides. */
function previewOf(lines) {
  const whole = svg('path', { d: pathOf(lines, SIZE), class: 'whole' });
  const part = svg('path', { class: 'part' });
  const picture = svg('svg', { viewBox: `0 0 ${SIZE} ${SIZE}`, class: 'outline preview', 'aria-hidden': 'true' });
  picture.append(whole, part);
  const words = h('p.quiet', { role: 'status' });
  return {
    root: h('section', {}, h('h3', {}, t('preview')), picture, words, h('p.quiet', {}, t('preview.hint'))),
    draw: (metres) => {
      const pieces = shownPart(lines, metres);
      part.setAttribute('d', pathOf(pieces, SIZE, lines));
      if (metres === 0) setText(words, t('preview.all'));
      else setText(words, pieces.length > 0 ? t('preview.words', { distance: distance(metres), double: distance(2 * metres) }) : t('course.hidden'));
    },
  };
}
