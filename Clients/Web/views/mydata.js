import { h, setText } from '../dom.js';
import { moment } from '../format.js';
import { t } from '../strings.js';
import { save } from './download.js';
import { small } from './parts.js';

/** The archive of all data that the server stores about the user. */
export class MyDataPart {
  #app;
  #file = null;

  constructor(app) {
    this.#app = app;
    this.status = h('p.quiet', { role: 'status' });
    this.button = small(t('my-data.make'), () => this.#ask());
    this.root = h('section', {}, h('h2', {}, t('my-data')), h('p', {}, t('my-data.text')), h('div.buttons', {}, this.button), this.status);
  }

  event({ exportReady }) {
    if (exportReady) this.#take({ state: 'READY', file: exportReady.file });
  }

  #ask() {
    if (this.#file) return this.#app.run(this.button, () => save(this.#app.client, this.#file.fileId, 'promised.zip'));
    return this.#app.run(this.button, async () => this.#take(await this.#app.client.call('exportMyData', {})));
  }

  #take({ state, file = null, availableAt }) {
    this.#file = file;
    setText(this.button, t(file ? 'my-data.save' : 'my-data.make'));
    setText(this.status, t('my-data.' + state, { time: availableAt ? moment(availableAt) : '' }));
  }
}
