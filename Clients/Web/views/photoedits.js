import { h, setText, show } from '../dom.js';
import { preparedPhoto } from '../promised.js';
import { explain, t } from '../strings.js';
import { field, small } from './parts.js';

const MOST = 10;

/** The photos of a visit or a course in an editor: chosen, scaled down, uploaded, reordered, described. */
export class PhotoEditsPart {
  #app;
  #pictures;
  #items = [];
  #onChange;

  /**
   * @param {App} app
   * @param {Pictures} pictures those of existing photos
   * @param {() => void} onChange uploads have begun or ended
   */
  constructor(app, pictures, onChange) {
    this.#app = app;
    this.#pictures = pictures;
    this.#onChange = onChange;
    this.input = h('input', { type: 'file', accept: 'image/*', multiple: true, hidden: true, id: 'photo-files' });
    this.input.addEventListener('change', () => this.#take([...this.input.files]));
    this.add = small(t('photo.add'), () => this.input.click());
    this.error = h('p.error', { role: 'alert' });
    this.list = h('ol.photo-edits');
    this.root = h('fieldset', {}, h('legend', {}, t('photos')), h('p.quiet', {}, t('photo.hint', { n: MOST })), this.list, this.error,
      h('div.buttons', {}, this.add, this.input));
  }

  leave() {
    for (const item of this.#items) this.#forget(item);
  }

  /**
   * Shows the existing photos. @param {Array} photos @param {(index: number) => string} words the description of each
   */
  show(photos, words) {
    photos.forEach(({ file, caption = '' }, index) => this.#add({ fileId: file.fileId, caption, image: this.#pictures.image(file, words(index)) }));
  }

  /** `true` while a photo is being uploaded. */
  get isBusy() {
    return this.#items.some(({ fileId }) => !fileId);
  }

  /** The uploaded photos in the form of requests. */
  get choices() {
    return this.#items.filter(({ fileId }) => fileId).map(({ fileId, row }) => ({ fileId, caption: row.querySelector('input').value.trim() }));
  }

  #take(files) {
    this.input.value = '';
    const room = MOST - this.#items.length;
    setText(this.error, files.length > room ? t('photo.limit', { n: MOST }) : '');
    for (const file of files.slice(0, room)) this.#upload(file);
    this.add.focus();
  }

  async #upload(file) {
    const stop = new AbortController();
    const item = this.#add({ fileId: '', caption: '', image: h('img.photo', { alt: file.name }), stop });
    const bar = h('progress', { max: 1, value: 0, 'aria-label': t('photo.uploading', { name: file.name }) });
    item.row.append(bar);
    try {
      const prepared = await preparedPhoto(file);
      stop.signal.throwIfAborted();
      item.url = URL.createObjectURL(prepared);
      item.image.src = item.url;
      const stored = await this.#app.client.upload(prepared, {
        kind: 'PHOTO', signal: stop.signal, onProgress: (sent, all) => (bar.value = sent / all),
      });
      item.fileId = stored.fileId;
      this.#app.announce(t('photo.uploaded', { name: file.name }));
    } catch (error) {
      if (stop.signal.aborted) return;
      setText(this.error, `${file.name}: ${explain(error)}`);
      this.#remove(item);
    } finally {
      bar.remove();
      this.#onChange();
    }
  }

  #add(fields) {
    const item = { ...fields };
    const name = () => t('photo.number', { n: this.#items.indexOf(item) + 1 });
    const caption = field(t('photo.caption'), { maxlength: 100, autocomplete: 'off', value: item.caption });
    const [up, remove] = [small('↑', () => this.#raise(item)), small('×', () => this.#remove(item))];
    item.row = h('li', {}, item.image, caption, h('div.buttons', {}, up, remove));
    item.tell = () => {
      up.setAttribute('aria-label', t('photo.up', { name: name() }));
      remove.setAttribute('aria-label', t('photo.remove', { name: name() }));
      show(up, this.#items[0] !== item);
    };
    this.#items.push(item);
    this.#draw();
    this.#onChange();
    return item;
  }

  #raise(item) {
    const index = this.#items.indexOf(item);
    this.#items.splice(index, 1);
    this.#items.splice(index - 1, 0, item);
    this.#draw();
    item.row.querySelector('button:not([hidden])').focus();
  }

  #remove(item) {
    this.#items = this.#items.filter((one) => one !== item);
    this.#forget(item);
    this.#draw();
    this.#onChange();
    this.add.focus();
  }

  #forget(item) {
    item.stop?.abort();
    if (item.url) URL.revokeObjectURL(item.url);
  }

  #draw() {
    this.list.replaceChildren(...this.#items.map(({ row }) => row));
    this.#items.forEach((item) => item.tell());
    this.#pictures.sweep();
    show(this.list, this.#items.length > 0);
    this.add.disabled = this.#items.length >= MOST;
  }
}
