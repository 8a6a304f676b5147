import { h, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { distance } from '../format.js';
import { Latest } from '../promised.js';
import { explain, t } from '../strings.js';
import { courseRow, linesOf } from './courserow.js';
import { FolderPart } from './folders.js';
import { GPXPart } from './gpx.js';
import { journalTabs } from './journal.js';
import { small } from './parts.js';

const LISTS = [['MINE', ['courses']], ['SHARED', ['courses', 'shared']], ['RECOMMENDED', ['courses', 'recommended']]];

/** Courses: the user's own by folder, those shared by friends, and the recommended ones near the map's middle. */
export class CoursesView {
  #app;
  #list;
  #folderId;
  #asking;
  #courses = [];
  #cursor = '';
  #isFirst = true;
  #folders;
  #onView = () => this.#asking.want(this.#request());

  /** @param {App} app @param {'MINE'|'SHARED'|'RECOMMENDED'} list @param {string} [folderId] empty: all of the user's own */
  constructor(app, list, folderId = '') {
    this.#app = app;
    this.#list = list;
    this.#folderId = folderId;
    this.#asking = new Latest((fields) => app.client.call('listCourses', fields), {
      onReply: (reply) => this.#take(reply), onError: (error) => this.#failed(error),
    });
    this.#folders = new FolderPart(app, folderId);
    this.#compose();
    if (list === 'RECOMMENDED') app.map?.addEventListener('view', this.#onView);
  }

  leave() {
    this.#asking.stop();
    this.#app.map?.removeEventListener('view', this.#onView);
  }

  async online() {
    this.#asking.wantNow(this.#request());
    try {
      if (this.#list === 'MINE') await this.#folders.load();
    } catch (error) {
      this.#app.fail(error);
    }
  }

  event({ courseShared }) {
    if (courseShared && this.#list === 'SHARED') this.#asking.wantNow(this.#request());
  }

  #compose() {
    this.status = h('p.quiet', { role: 'status' }, t('loading'));
    this.list = h('ul.cards');
    this.more = small(t('more'), (button) => this.#more(button));
    show(this.more, false);
    const lists = h('nav.chips', { 'aria-label': t('courses') }, LISTS.map(([list, route]) =>
      h('a.button.small', { href: link(...route), 'aria-current': list === this.#list ? 'page' : null }, t('courses.' + list))));
    const isMine = this.#list === 'MINE';
    this.root = h('section.courses', {}, journalTabs('courses'), h('h1', {}, t('courses')), lists,
      isMine && this.#folders.root, this.status, this.list, this.more,
      isMine && new GPXPart(this.#app, this.#folderId, () => this.online()).root);
  }

  #request(cursor = '') {
    const { map } = this.#app;
    const near = this.#list === 'RECOMMENDED' && map ? { box: map.view.box, near: map.view.middle } : {};
    return { list: this.#list, ...(this.#folderId && { folderId: this.#folderId }), ...near, ...(cursor && { cursor }), limit: 30 };
  }

  #more(button) {
    return this.#app.run(button, async () => {
      const before = this.#courses;
      const reply = await this.#app.client.call('listCourses', this.#request(this.#cursor));
      // Another list has replaced this one meanwhile.
      if (before !== this.#courses) return;
      this.#courses.push(...(reply.courses ?? []));
      this.#cursor = reply.cursor ?? '';
      this.#draw();
    });
  }

  #take({ courses = [], cursor = '' }) {
    // Another view has the map by now.
    if (!this.root.isConnected) return;
    this.#courses = courses;
    this.#cursor = cursor;
    this.#draw();
    // Recommended courses follow the map and do not move it.
    if (this.#isFirst && this.#list !== 'RECOMMENDED') this.#app.map?.fit();
    this.#isFirst = false;
  }

  #failed(error) {
    if (!error.code) throw error;
    if (!error.code.startsWith('client.')) setText(this.status, explain(error));
  }

  #draw() {
    this.list.replaceChildren(...this.#courses.map(courseRow));
    show(this.list, this.#courses.length > 0);
    show(this.more, this.#cursor !== '');
    const metres = this.#courses.reduce((sum, { statistics }) => sum + (statistics?.distanceMetres ?? 0), 0);
    setText(this.status, this.#courses.length === 0 ? t('courses.none.' + this.#list)
      : t(this.#courses.length === 1 ? 'courses.sum.one' : 'courses.sum', { n: this.#courses.length, distance: distance(metres) }));
    this.#app.map?.setWays(this.#courses.map((course) => ({ lines: linesOf(course) })));
  }
}
