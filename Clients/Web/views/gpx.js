import { ACTIVITIES } from '../courses.js';
import { h, setText, show } from '../dom.js';
import { randomName } from '../promised.js';
import { explain, t } from '../strings.js';
import { choice, small } from './parts.js';

/** Makes courses of GPX files that the user drops here or chooses. */
export class GPXPart {
  #app;
  #folderId;
  #onDone;

  /** @param {App} app @param {string} folderId the folder for new courses; empty: the last changed one @param {() => void} onDone */
  constructor(app, folderId, onDone) {
    this.#app = app;
    this.#folderId = folderId;
    this.#onDone = onDone;
    this.input = h('input', { type: 'file', accept: '.gpx,.gz,application/gpx+xml,application/gzip', hidden: true, id: 'gpx-file' });
    this.input.addEventListener('change', () => this.#take(this.input.files[0]));
    this.button = small(t('gpx.choose'), () => this.input.click());
    this.activity = choice(t('activity'), 'activity', ACTIVITIES.map((one) => [one, t('activity.' + one)]));
    this.activity.querySelector('select').value = 'OTHER';
    this.bar = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': t('gpx.uploading') });
    this.error = h('p.error', { role: 'alert' });
    this.root = h('section.drop', {
      ondragover: (event) => this.#drag(event, true), ondragleave: (event) => this.#drag(event, false), ondrop: (event) => this.#drop(event),
    }, h('h2', {}, t('gpx')), h('p.quiet', {}, t('gpx.hint')), this.activity, h('div.buttons', {}, this.button, this.input), this.bar, this.error);
  }

  #drag(event, isOver) {
    event.preventDefault();
    this.root.toggleAttribute('data-over', isOver);
  }

  #drop(event) {
    this.#drag(event, false);
    this.#take(event.dataTransfer.files[0]);
  }

  async #take(file) {
    this.input.value = '';
    if (!file || this.button.disabled) return;
    this.button.disabled = true;
    setText(this.error, '');
    show(this.bar, true);
    try {
      const { fileId } = await this.#app.client.upload(file, { kind: 'TRACK', onProgress: (sent, all) => (this.bar.value = sent / all) });
      const { courses = [], dropped = 0, brokenOffAtLine: line } = await this.#app.client.call('importCourse', {
        key: randomName(), fileId, activity: this.activity.querySelector('select').value, ...(this.#folderId && { folderId: this.#folderId }),
      });
      const done = t(dropped ? 'gpx.done-dropped' : 'gpx.done', { n: courses.length, dropped });
      this.#app.say(line ? `${done} ${t('gpx.broken-off', { line })}` : done);
      if (courses.length === 1) this.#app.go('course', courses[0].courseId);
      else this.#onDone();
    } catch (error) {
      // The server's sentence names its finding, and the line.
      const isToldMore = ['track.malformed', 'course.too-short', 'file.unsupported'].includes(error.code) && error.message;
      setText(this.error, isToldMore ? `${explain(error)} ${error.message}` : explain(error));
    } finally {
      this.button.disabled = false;
      show(this.bar, false);
    }
  }
}
