import { COURSE_AUDIENCES, pathOf, segmentsOf } from '../courses.js';
import { h, setText, show } from '../dom.js';
import { allPages } from '../pages.js';
import { Latest } from '../promised.js';
import { explain, t } from '../strings.js';
import { svg } from './courserow.js';
import { ask, choice, field, nameOf } from './parts.js';

const SIZE = 260;
const MOST_HIDDEN = 1000;
/** The most points of the visible part: more would not show at this size. */
const PART_POINTS = 500;

/**
 * Opens a dialog for the audience of a course, with a picture of the part that others see.
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
  const preview = previewOf(app.client, courseId, segmentsOf(points));
  const update = () => {
    show(list, select.value === 'PEOPLE');
    show(preview.root, select.value !== 'PRIVATE');
    if (select.value !== 'PRIVATE') preview.draw(hide.querySelector('input').valueAsNumber);
  };
  const content = h('div.stack', { oninput: update }, box, list, hide, preview.root);
  update();
  const data = await ask({ title: t('course.share'), content: [content], confirm: t('save') });
  preview.stop();
  if (!data) return null;
  const userIds = data.get('audience') === 'PEOPLE' ? data.getAll('person') : [];
  return app.client.call('shareCourse', { courseId, audience: data.get('audience'), userIds, hideMetres: Number(data.get('hideMetres')) });
}

/** A picture of the whole way, pale, with the part that others see on top: only the server knows how much it hides. */
function previewOf(client, courseId, lines) {
  const whole = svg('path', { d: pathOf(lines, SIZE), class: 'whole' });
  const part = svg('path', { class: 'part' });
  const picture = svg('svg', { viewBox: `0 0 ${SIZE} ${SIZE}`, class: 'outline preview', 'aria-hidden': 'true' });
  picture.append(whole, part);
  const words = h('p.quiet', { role: 'status' });
  const display = (pieces, text) => {
    part.setAttribute('d', pathOf(pieces, SIZE, lines));
    setText(words, text);
  };
  let drawn = null;
  const asking = new Latest((hideMetres) => client.call('getTrack', { courseId, hideMetres, maxPoints: PART_POINTS }), {
    onReply: ({ points = [] }, hideMetres) =>
      display(segmentsOf(points), t(points.length === 0 ? 'course.hidden' : hideMetres === 0 ? 'preview.all' : 'preview.words')),
    onError: (error) => {
      // The next input sends the request again.
      drawn = null;
      display([], explain(error));
    },
  });
  return {
    root: h('section', {}, h('h3', {}, t('preview')), picture, words, h('p.quiet', {}, t('preview.hint'))),
    draw: (metres) => {
      if (metres === drawn) return;
      drawn = metres;
      asking.stop();
      if (!Number.isInteger(metres) || metres < 0 || metres > MOST_HIDDEN) {
        display([], '');
        return;
      }
      setText(words, t('loading'));
      asking.want(metres);
    },
    stop: () => asking.stop(),
  };
}
