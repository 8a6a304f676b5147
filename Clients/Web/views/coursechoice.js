import { h, setText } from '../dom.js';
import { distance } from '../format.js';
import { allPages } from '../pages.js';
import { explain, t } from '../strings.js';
import { linesOf } from './courserow.js';
import { choice } from './parts.js';

/** The most courses to choose from, the newest ones. */
const MOST = 300;

/** The course of a promise, in its editor: one of the user's own, or none. */
export class CourseChoicePart {
  #app;
  #known = new Map();
  #isLoaded = false;
  #before = '';

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    const box = choice(t('promise.course'), 'courseId', [['', t('promise.course.none')]]);
    this.select = box.querySelector('select');
    this.select.disabled = true;
    this.select.addEventListener('change', () => this.#draw({ isNew: true }));
    this.select.setAttribute('aria-describedby', 'course-hint');
    box.append(h('small', { id: 'course-hint' }, t('promise.course.hint')));
    this.error = h('p.error', { role: 'alert' });
    this.root = h('div', {}, box, this.error);
  }

  /** The id of the course; empty for none. */
  get courseId() {
    return this.#isLoaded ? this.select.value : this.#before;
  }

  /** Reads the user's courses, once. @param {string} [courseId] the promise's course */
  async load(courseId = '') {
    if (this.#isLoaded) return;
    this.#before = courseId;
    try {
      const courses = await allPages(this.#app.client, 'listCourses', 'courses', { fields: { list: 'MINE' }, most: MOST });
      const other = courseId && !courses.some((one) => one.courseId === courseId) && await this.#other(courseId);
      if (!this.root.isConnected) return;
      this.#offer(other ? [other, ...courses] : courses);
    } catch (error) {
      if (!error.code) throw error;
      if (!error.code.startsWith('client.')) setText(this.error, explain(error));
    }
  }

  /** A course that is not among the newest ones, or chosen by another owner of the promise. */
  async #other(courseId) {
    try {
      return await this.#app.client.call('getCourse', { courseId });
    } catch (error) {
      if (error.code !== 'course.not-found') throw error;
      setText(this.error, t('promise.course.gone'));
      return { courseId, title: t('promise.course.before') };
    }
  }

  #offer(courses) {
    this.#known = new Map(courses.map((one) => [one.courseId, one]));
    const words = ({ title, statistics }) => [title, statistics && distance(statistics.distanceMetres ?? 0)].filter(Boolean).join(' · ');
    this.select.append(...courses.map((one) => h('option', { value: one.courseId }, words(one))));
    this.select.value = this.#before;
    this.select.disabled = false;
    this.#isLoaded = true;
    this.#draw();
  }

  #draw({ isNew = false } = {}) {
    const course = this.#known.get(this.select.value);
    if (isNew) setText(this.error, '');
    this.#app.map?.setWays(course ? [{ lines: linesOf(course) }] : []);
    if (isNew) this.#app.map?.fit();
  }
}
