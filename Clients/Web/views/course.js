import { altitudesOf, segmentsOf } from '../courses.js';
import { h } from '../dom.js';
import { link } from '../fragment.js';
import { distance, heights, moment, span } from '../format.js';
import { Pictures } from '../pictures.js';
import { randomName } from '../promised.js';
import { explain, t } from '../strings.js';
import { ask, nameOf, small } from './parts.js';
import { openCourseEditor } from './courseeditor.js';
import { openCourseSharing } from './coursesharing.js';
import { save } from './download.js';
import { profileFigure, speed } from './profile.js';
import { share } from './share.js';

/** The most points that the map shows of a course. */
export const MOST_POINTS = 2000;

/** One course: on the map, with its profile, its figures, and its actions. */
export class CourseView {
  #app;
  #id;
  #course = null;
  #points = [];
  #pictures;

  constructor(app, id) {
    this.#app = app;
    this.#id = id;
    this.#pictures = new Pictures(app.client);
    this.root = h('section.course-page', {}, h('p.quiet', {}, t('loading')));
  }

  leave() {
    this.#pictures.leave();
  }

  async online() {
    try {
      const [course, track] = await Promise.all([
        this.#app.client.call('getCourse', { courseId: this.#id }),
        this.#app.client.call('getTrack', { courseId: this.#id, maxPoints: MOST_POINTS }),
      ]);
      if (!this.root.isConnected) return;
      const isFirst = this.#course === null;
      this.#points = track.points ?? [];
      this.#show(course);
      // After a cut connection the user has already moved the map.
      if (isFirst) this.#app.map?.fit();
    } catch (error) {
      if (!error.code) throw error;
      if (this.#course || error.code.startsWith('client.')) return;
      this.root.replaceChildren(this.#back(), h('p.empty', {}, explain(error)));
    }
  }

  /** The view that a link opens; null for a course that nobody else sees. */
  get #path() {
    return this.#isMine && (this.#course.audience ?? 'PRIVATE') === 'PRIVATE' ? null : ['course', this.#id];
  }

  get #isMine() {
    const { user, source } = this.#course;
    return !user && source !== 'OPERATOR';
  }

  #back() {
    return h('a.backlink', { href: link('courses') }, '‹ ', t('courses'));
  }

  #show(course) {
    this.#course = course;
    const { title, memo, photos = [], attribution, startedAt, activity = 'OTHER', user, promiseId } = course;
    this.root.replaceChildren(...[
      this.#back(), h('h1', {}, title),
      h('p.quiet', {}, [user && nameOf(user), startedAt && moment(startedAt), t('activity.' + activity)].filter(Boolean).join(' · ')),
      this.#isMine && h('p', {}, h('span.chip', {}, t('audience.' + (course.audience ?? 'PRIVATE')))),
      memo && h('p.memo', {}, memo), this.#points.length === 0 && h('p.empty', {}, t('course.hidden')),
      figures(course.statistics ?? {}), profileFigure(altitudesOf(this.#points)), this.#waypoints(), this.#stops(),
      photos.length > 0 && h('ul.photos', {}, photos.map(({ file, caption }, index) => h('li', {}, h('figure', {},
        this.#pictures.image(file, caption || t('photo.of', { n: index + 1, of: photos.length, place: title })),
        caption && h('figcaption', {}, caption))))),
      promiseId && this.#isMine && h('p', {}, h('a', { href: link('promise', promiseId) }, t('visit.promise'))),
      this.#buttons(), attribution && h('p.credits.quiet', {}, attribution),
    ].filter(Boolean));
    document.title = `${title} · promised`;
    this.#pictures.sweep();
    this.#drawMap();
  }

  #waypoints() {
    const { waypoints = [] } = this.#course;
    if (waypoints.length === 0 && !this.#isMine) return null;
    return h('section', {}, h('h2', {}, t('waypoints')), h('ol.waypoints', {}, waypoints.map((one) =>
      h('li', {}, h('span', {}, waypointName(one)), h('span.quiet', {}, distance(one.atMetres ?? 0))))),
    this.#isMine && h('p', {}, h('a.button.small', { href: link('course', this.#id, 'waypoints') }, t('waypoints.edit'))));
  }

  #stops() {
    const { stops = [] } = this.#course;
    const subject = ({ placeId, latitude = 0, longitude = 0 }) => (placeId ? ['place', placeId] : ['at', `${latitude},${longitude}`]);
    return stops.length > 0 && h('section', {}, h('h2', {}, t('stops')), h('ul.rows', {}, stops.map(({ place = {}, from, to }) => {
      const words = place.name || moment(from);
      return h('li.row', {}, h('span.grow', {}, words, ' ', h('span.quiet', {}, span((Date.parse(to) - Date.parse(from)) / 1000))),
        h('a.button.small', { href: link('visits', 'new', ...subject(place)), 'aria-label': `${t('visit.add')}: ${words}` }, t('visit.add')));
    })));
  }

  #buttons() {
    const { client } = this.#app;
    const change = (open) => async (button) => {
      const course = await this.#app.run(button, () => open(this.#app, this.#course, this.#points, this.#pictures));
      if (course) this.#show(course);
    };
    return h('div.buttons', {},
      ...(this.#isMine ? [small(t('edit'), change(openCourseEditor)), small(t('course.share'), change(openCourseSharing))]
        : [small(t('course.copy'), (button) => this.#app.run(button, async () => {
          const { courseId } = await client.call('copyCourse', { key: randomName(), courseId: this.#id });
          this.#app.say(t('course.copied'));
          this.#app.go('course', courseId);
        }), { kind: 'primary' })]),
      ...['GPX', 'GEOJSON'].map((format) => small(t('course.export.' + format), (button) => this.#export(button, format))),
      small(t('share'), (button) => share(this.#app, button, { courseId: this.#id }, this.#path)),
      this.#isMine && small(t('delete'), (button) => this.#delete(button), { kind: 'grave' }));
  }

  #export(button, format) {
    return this.#app.run(button, async () => {
      const { file } = await this.#app.client.call('exportCourse', { courseId: this.#id, format });
      await save(this.#app.client, file.fileId, `${this.#course.title}.${format === 'GPX' ? 'gpx' : 'geojson'}`);
    });
  }

  async #delete(button) {
    if (!(await ask({ title: t('course.delete-sure', { name: this.#course.title }), confirm: t('delete'), isGrave: true }))) return;
    await this.#app.run(button, async () => {
      await this.#app.client.call('deleteCourse', { courseId: this.#id });
      this.#app.say(t('course.deleted'));
      this.#app.go('courses');
    });
  }

  #drawMap() {
    const { map } = this.#app;
    const { waypoints = [] } = this.#course;
    map?.setWays([{ lines: segmentsOf(this.#points), isSelected: true }]);
    map?.setPins(waypoints.map((one) => ({ latitude: 0, longitude: 0, ...one.place, title: waypointName(one) })));
  }
}

/** The name of a way-point: its own, that of the place there, or its kind. */
export const waypointName = ({ name, place, kind = 'NOTE' }) => name || place?.name || t('waypoint.' + kind);

/** The mean speed while moving, at most the top one: slow steps add distance, but no moving time. */
const meanSpeed = (metres, ms, top = Infinity) => ms > 0 && speed(Math.min(metres / (ms / 1000), top));

/** The figures of a course that are known. */
function figures({ distanceMetres = 0, durationMs = 0, movingMs = 0, topSpeedMps, ascentMetres, descentMetres, minAltitudeMetres, maxAltitudeMetres }) {
  const entries = [
    ['distance', distance(distanceMetres)], ['duration', durationMs > 0 && span(durationMs / 1000)],
    ['moving', movingMs > 0 && span(movingMs / 1000)], ['mean-speed', meanSpeed(distanceMetres, movingMs, topSpeedMps)],
    ['top-speed', topSpeedMps !== undefined && speed(topSpeedMps)], ['ascent', ascentMetres !== undefined && heights(ascentMetres)],
    ['descent', descentMetres !== undefined && heights(descentMetres)],
    ['altitude', minAltitudeMetres !== undefined && heights(minAltitudeMetres, maxAltitudeMetres ?? minAltitudeMetres)],
  ].filter(([, value]) => value);
  return h('dl.numbers', {}, entries.map(([key, value]) => h('div', {}, h('dt', {}, t('figure.' + key)), h('dd', {}, value))));
}
