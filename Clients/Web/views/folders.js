import { h } from '../dom.js';
import { link } from '../fragment.js';
import { randomName } from '../promised.js';
import { t } from '../strings.js';
import { ask, field, small } from './parts.js';

/** The folders of the user's courses: choosing, making, renaming and deleting them. */
export class FolderPart {
  #app;
  #chosen;
  #folders = [];

  /** @param {App} app @param {string} folderId the visible folder; empty for all */
  constructor(app, folderId) {
    this.#app = app;
    this.#chosen = folderId;
    this.root = h('section.folders', { hidden: true });
  }

  async load() {
    const { folders = [] } = await this.#app.client.call('listFolders', {});
    this.#folders = folders;
    this.#draw();
  }

  #draw() {
    const chip = (id, title, count) => h('li', {}, h('a.button.small', {
      href: id ? link('courses', 'folder', id) : link('courses'), 'aria-current': id === this.#chosen ? 'true' : null,
    }, title, count !== null && h('span.number', {}, String(count))));
    const folder = this.#folders.find(({ folderId }) => folderId === this.#chosen);
    this.root.hidden = false;
    this.root.replaceChildren(h('h2', {}, t('folders')),
      h('ul.chips', {}, chip('', t('all'), null), this.#folders.map(({ folderId, title, emoji, courses = 0 }) =>
        chip(folderId, [emoji, title].filter(Boolean).join(' '), courses))),
      h('div.buttons', {}, small(t('folder.new'), (button) => this.#make(button)),
        folder && small(t('folder.rename'), (button) => this.#rename(button, folder)),
        folder && small(t('folder.delete'), (button) => this.#delete(button, folder))));
  }

  #fields({ title = '', emoji = '' } = {}, isRequired = false) {
    return [field(t('title'), { name: 'title', maxlength: 60, required: isRequired, autocomplete: 'off', value: title }),
      field(t('emoji'), { name: 'emoji', maxlength: 64, autocomplete: 'off', value: emoji })];
  }

  async #make(button) {
    const data = await ask({ title: t('folder.new'), content: this.#fields(), confirm: t('save') });
    if (!data) return;
    const [title, emoji] = ['title', 'emoji'].map((name) => data.get(name).trim());
    await this.#change(button, 'createFolder', { key: randomName(), ...(title && { title }), ...(emoji && { emoji }) });
  }

  async #rename(button, folder) {
    const data = await ask({ title: t('folder.rename'), content: this.#fields(folder, true), confirm: t('save') });
    if (!data) return;
    const [title, emoji] = ['title', 'emoji'].map((name) => data.get(name).trim());
    await this.#change(button, 'updateFolder', { folderId: folder.folderId, version: folder.version, title, emoji });
  }

  async #delete(button, { folderId, title, courses = 0 }) {
    const content = courses > 0 ? [h('p', {}, t('folder.delete-courses', { n: courses }))] : [];
    if (!(await ask({ title: t('folder.delete-sure', { name: title }), content, confirm: t('delete'), isGrave: true }))) return;
    const isDone = await this.#change(button, 'deleteFolder', { folderId, withCourses: courses > 0 });
    if (isDone) this.#app.go('courses');
  }

  #change(button, request, fields) {
    return this.#app.run(button, async () => {
      await this.#app.client.call(request, fields);
      await this.load();
      return true;
    });
  }
}
