import { segmentsOf } from '../courses.js';
import { h, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { distance } from '../format.js';
import { explain, t } from '../strings.js';
import { MOST_POINTS } from './course.js';
import { small } from './parts.js';

/** The course of a promise: its name, and its way on the map, for those who are in. */
export class CarriedCoursePart {
  #view;
  /** The visible or requested course; empty for none. */
  #courseId = '';
  #box = null;
  #isCut = false;

  constructor(view) {
    this.#view = view;
    this.name = h('a');
    this.facts = h('span.quiet');
    this.look = small(t('promise.course.look'), () => view.map?.look({ box: this.#box }));
    this.words = h('p.carried', {}, h('strong', {}, t('promise.course')), ' ', this.name, ' ', this.facts);
    this.problem = h('p.quiet', { role: 'status' });
    this.root = h('div.carried-course', { hidden: true }, this.words, this.problem, this.look);
  }

  draw() {
    const { meetup, mine } = this.#view;
    const courseId = mine?.membership === 'ACCEPTED' ? meetup.promise.courseId ?? '' : '';
    if (courseId === this.#courseId) return;
    this.#courseId = courseId;
    this.#forget();
    if (courseId) this.#load(courseId);
  }

  /** Repeats requests that a lost connection has interrupted. */
  refresh() {
    if (this.#isCut && this.#courseId) this.#load(this.#courseId);
  }

  #forget() {
    show(this.root, false);
    this.#view.map?.setWays([]);
  }

  async #load(courseId) {
    const { client } = this.#view.app;
    this.#isCut = false;
    try {
      const [course, track] = await Promise.all([client.call('getCourse', { courseId }), client.call('getTrack', { courseId, maxPoints: MOST_POINTS })]);
      if (this.#isAsked(courseId)) this.#show(course, track.points ?? []);
    } catch (error) {
      if (!error.code) throw error;
      this.#isCut = error.code.startsWith('client.');
      if (!this.#isCut && this.#isAsked(courseId)) this.#fail(error);
    }
  }

  /** `false` if another edit, or another view, has superseded the request. */
  #isAsked(courseId) {
    return this.root.isConnected && courseId === this.#courseId;
  }

  #show(course, points) {
    const { courseId, title, activity = 'OTHER', statistics = {}, box } = course;
    setText(this.name, title);
    this.name.href = link('course', courseId);
    setText(this.facts, `${distance(statistics.distanceMetres ?? 0)} · ${t('activity.' + activity)}`);
    this.#box = box ? { south: 0, west: 0, north: 0, east: 0, ...box } : null;
    setText(this.problem, points.length === 0 ? t('course.hidden') : '');
    show(this.words, true);
    show(this.problem, points.length === 0);
    show(this.look, points.length > 0 && this.#box !== null && this.#view.map !== null);
    show(this.root, true);
    this.#view.map?.setWays([{ lines: segmentsOf(points), isAside: true }]);
  }

  #fail(error) {
    setText(this.problem, error.code === 'course.not-found' ? t('promise.course.gone') : explain(error));
    show(this.words, false);
    show(this.look, false);
    show(this.problem, true);
    show(this.root, true);
  }
}
