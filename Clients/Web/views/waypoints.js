import { MOST_WAYPOINTS, metresAt, milestonesOf, pointAt, segmentsOf } from '../courses.js';
import { h, keep, mark, setText, show } from '../dom.js';
import { link } from '../fragment.js';
import { distance } from '../format.js';
import { explain, t } from '../strings.js';
import { MOST_POINTS, waypointName } from './course.js';
import { AlongPart } from './along.js';
import { small } from './parts.js';

/**
 * The way-points of one of the user's courses: added on the map or along the way, moved, named, deleted, and saved
 * together.
 */
export class WaypointsView {
  #app;
  #id;
  #course = null;
  #points = [];
  #milestones = [];
  /** The edited way-points, in the original order of the way: `{id, name, at, kind, isNew}`. */
  #items = [];
  #selected = null;
  #count = 0;
  #onPick = ({ detail }) => this.#add([detail.latitude, detail.longitude]);
  #onMove = ({ detail }) => this.#move(detail.id, detail.at);
  #onMark = ({ detail }) => this.#select(detail.id, { isSeen: true });

  constructor(app, id) {
    this.#app = app;
    this.#id = id;
    this.root = h('section.waypoint-editor', {}, h('p.quiet', {}, t('loading')));
    app.map?.marks.addEventListener('move', this.#onMove);
    app.map?.marks.addEventListener('pick', this.#onMark);
  }

  leave() {
    const { map } = this.#app;
    map?.removeEventListener('pick', this.#onPick);
    map?.marks.removeEventListener('move', this.#onMove);
    map?.marks.removeEventListener('pick', this.#onMark);
    document.body.classList.remove('picking');
  }

  async online() {
    // After a cut connection the edits continue.
    if (this.#course) return;
    const { client } = this.#app;
    try {
      const [course, { points = [] }] = await Promise.all([client.call('getCourse', { courseId: this.#id }),
        client.call('getTrack', { courseId: this.#id, maxPoints: MOST_POINTS })]);
      if (!this.root.isConnected) return;
      if (course.user || course.source === 'OPERATOR') this.#app.go('course', this.#id);
      else this.#begin(course, points);
    } catch (error) {
      if (!error.code) throw error;
      if (!error.code.startsWith('client.')) this.root.replaceChildren(this.#back(), h('p.empty', {}, explain(error)));
    }
  }

  #begin(course, points) {
    this.#course = course;
    this.#points = points;
    this.#milestones = milestonesOf(points);
    this.#items = (course.waypoints ?? []).map(({ name = '', place = {}, kind }) =>
      this.#item([place.latitude ?? 0, place.longitude ?? 0], name || place.name || '', kind));
    this.#compose();
    this.#app.map?.addEventListener('pick', this.#onPick);
    document.body.classList.toggle('picking', this.#app.map !== null);
    this.#app.map?.setWays([{ lines: segmentsOf(points), isSelected: true }]);
    this.#draw();
    this.#app.map?.fit();
  }

  #item(at, name = '', kind = 'NOTE') {
    return { id: `waypoint-${(this.#count += 1)}`, name, at, kind };
  }

  #back() {
    return h('a.backlink', { href: link('course', this.#id) }, '‹ ', this.#course?.title ?? t('courses'));
  }

  #compose() {
    const { map } = this.#app;
    this.middle = small(t('waypoints.middle'), () => this.#add([map.view.middle.latitude, map.view.middle.longitude], { isNamed: true }));
    show(this.middle, map !== null);
    this.along = new AlongPart(this.#milestones.at(-1)?.metres ?? 0, (metres) => this.#preview(metres),
      (metres) => this.#add(pointAt(this.#milestones, metres), { isNamed: true }));
    this.adding = h('fieldset', {}, h('legend', {}, t('waypoints.add')), this.along.root, h('div.buttons', {}, this.middle));
    this.status = h('p.quiet', { role: 'status' });
    this.list = h('ol.waypoint-edits');
    this.submit = h('button.primary', { type: 'submit' }, t('save'));
    const form = h('form.stack', { onsubmit: (event) => this.#save(event) }, this.list, this.status, h('div.buttons', {},
      h('a.button', { href: link('course', this.#id) }, t('cancel')), this.submit));
    this.root.replaceChildren(this.#back(), h('h1', {}, t('waypoints')), h('p.quiet', {}, t(map ? 'waypoints.hint' : 'waypoints.hint-no-map')),
      this.adding, form);
    document.title = `${this.#course.title} · promised`;
  }

  // Editing

  #add(at, { isNamed = false } = {}) {
    if (!at || this.#items.length >= MOST_WAYPOINTS) return this.#app.say(t('waypoints.full', { most: MOST_WAYPOINTS }));
    const item = this.#item(at);
    const metres = metresAt(this.#milestones, at);
    const index = this.#items.findIndex((one) => metresAt(this.#milestones, one.at) > metres);
    this.#items.splice(index < 0 ? this.#items.length : index, 0, item);
    this.#preview(null);
    this.#select(item.id, { isSeen: true });
    this.#tell(item);
    // On a phone the keyboard would cover the map on which the user points.
    if (isNamed || !matchMedia('(pointer: coarse)').matches) this.#row(item.id).querySelector('input').focus();
    return undefined;
  }

  #move(id, at) {
    this.#find(id).at = at;
    this.#selected = id;
    this.#draw();
    this.#tell(this.#find(id));
  }

  #remove(id) {
    const index = this.#items.findIndex((one) => one.id === id);
    const [{ name }] = this.#items.splice(index, 1);
    this.#draw();
    this.#app.announce(t('waypoint.deleted', { name: name || t('waypoint.name', { n: index + 1 }) }));
    const next = this.#items[Math.min(index, this.#items.length - 1)];
    (next ? this.#row(next.id).querySelector('input') : this.submit).focus();
  }

  /** @param {{isSeen?: boolean}} options true: the user points at the map, so the list follows; else the map does */
  #select(id, { isSeen = false } = {}) {
    const isNew = this.#selected !== id;
    this.#selected = id;
    this.#draw();
    if (isSeen) this.#row(id).scrollIntoView({ block: 'nearest' });
    else if (isNew) this.#app.map?.marks.reveal(id);
  }

  #find(id) {
    return this.#items.find((one) => one.id === id);
  }

  #row(id) {
    return this.list.querySelector(`[data-waypoint="${id}"]`);
  }

  #tell(item) {
    this.#app.announce(t('waypoint.at', { name: this.#nameOf(item), distance: distance(metresAt(this.#milestones, item.at)) }));
  }

  #nameOf(item) {
    return item.name.trim() || t('waypoint.name', { n: this.#items.indexOf(item) + 1 });
  }

  // Drawing

  #draw() {
    const items = this.#items;
    keep(this.list, items, ({ id }) => id, (item) => this.#makeRow(item));
    setText(this.status, items.length ? t('waypoints.count', { n: items.length, most: MOST_WAYPOINTS }) : t('waypoints.none'));
    const isFull = items.length >= MOST_WAYPOINTS;
    this.middle.disabled = isFull;
    this.along.isFull = isFull;
    this.#app.map?.marks.set(items.map((item, index) => ({
      id: item.id, at: item.at, number: index + 1, name: item.name, label: t('waypoint.move-name', { name: this.#nameOf(item) }),
      isSelected: item.id === this.#selected,
    })));
  }

  #makeRow(item) {
    const { id } = item;
    const input = h('input', { maxlength: 100, autocomplete: 'off', value: item.name, placeholder: waypointName({ kind: item.kind }), oninput: () => {
      item.name = input.value;
      this.#draw();
    } });
    const [number, where] = [h('span.number', { 'aria-hidden': 'true' }), h('span.quiet')];
    const move = small(t('waypoint.move'), () => this.#app.map?.focus(...item.at));
    show(move, this.#app.map !== null);
    move.addEventListener('keydown', (event) => this.#app.map?.marks.pressed(event, id) && event.preventDefault());
    const remove = small(t('delete'), () => this.#remove(id), { kind: 'plain' });
    const root = h('li', { 'data-waypoint': id, onfocusin: () => this.#select(id) }, number, input, where, h('div.buttons', {}, move, remove));
    return { root, update: (one) => {
      setText(number, String(this.#items.indexOf(one) + 1));
      setText(where, distance(metresAt(this.#milestones, one.at)));
      mark(input, 'aria-label', t('waypoint.name', { n: this.#items.indexOf(one) + 1 }));
      mark(move, 'aria-label', t('waypoint.move-name', { name: this.#nameOf(one) }));
      mark(remove, 'aria-label', t('waypoint.delete-name', { name: this.#nameOf(one) }));
      mark(root, 'data-selected', id === this.#selected);
    } };
  }

  /** Shows a point of the way before it is added; null for none. */
  #preview(metres) {
    const at = metres === null ? null : pointAt(this.#milestones, metres);
    this.#app.map?.setPins(at ? [{ latitude: at[0], longitude: at[1], title: distance(metres) }] : []);
  }

  #save(event) {
    event.preventDefault();
    const { courseId, version } = this.#course;
    const waypoints = this.#items.map(({ name, at: [latitude, longitude], kind }) => ({ name: name.trim(), place: { latitude, longitude }, kind }));
    return this.#app.run(this.submit, async () => {
      // Without way-points of the user the server makes its own again.
      await this.#app.client.call('updateCourse', { courseId, version, ...(waypoints.length ? { waypoints } : { withoutWaypoints: true }) });
      this.#app.say(t('saved'));
      this.#app.go('course', courseId);
    });
  }
}
