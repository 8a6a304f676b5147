import { h, setText } from '../dom.js';
import { t } from '../strings.js';
import { field } from './parts.js';

/** The kinds that can be switched off on this page. */
const KINDS = ['INVITED', 'TRACKING_STARTED', 'NUDGED', 'FRIEND_REQUESTED', 'RESULT_FINAL', 'WEATHER_TURNED', 'VISIT_MADE',
  'RECORDING_INTERRUPTED', 'COURSE_SHARED', 'EXPORT_READY'];

/** The wanted notifications, and the quiet hours. */
export class NotificationSettingsPart {
  #app;
  #off = new Set();

  constructor(app) {
    this.#app = app;
    this.submit = h('button.primary', { type: 'submit' }, t('save'));
    this.error = h('p.error', { role: 'alert' });
    this.kinds = h('fieldset', {}, h('legend', {}, t('told-of')), KINDS.map((kind) => h('label.check', {},
      h('input', { type: 'checkbox', role: 'switch', name: 'kind', value: kind }), t('kind.' + kind))));
    this.form = h('form.stack', { onsubmit: (event) => this.#save(event) }, this.kinds,
      h('fieldset', {}, h('legend', {}, t('quiet-hours')), h('p.quiet', {}, t('quiet-hours.hint')), h('div.pair', {},
        field(t('quiet-from'), { name: 'quietFrom', type: 'time' }), field(t('quiet-to'), { name: 'quietTo', type: 'time' }))),
      this.error, h('div.buttons', {}, this.submit));
    this.root = h('details.settings', {}, h('summary', {}, t('settings')), this.form);
  }

  async load() {
    this.#show(await this.#app.client.call('getNotificationSettings', {}));
  }

  #show({ off = [], quietFrom = '', quietTo = '' }) {
    this.#off = new Set(off);
    for (const box of this.kinds.querySelectorAll('input')) box.checked = !this.#off.has(box.value);
    this.form.elements.quietFrom.value = quietFrom;
    this.form.elements.quietTo.value = quietTo;
  }

  #save(event) {
    event.preventDefault();
    const data = new FormData(this.form);
    const [quietFrom, quietTo] = [data.get('quietFrom'), data.get('quietTo')];
    const isPair = quietFrom === '' ? quietTo === '' : quietTo !== '' && quietFrom !== quietTo;
    setText(this.error, isPair ? '' : t('quiet-hours.pair'));
    if (!isPair) return;
    // Kinds unknown to this page stay unchanged.
    const others = [...this.#off].filter((kind) => !KINDS.includes(kind));
    const off = [...others, ...KINDS.filter((kind) => !data.getAll('kind').includes(kind))];
    this.#app.run(this.submit, async () => {
      this.#show(await this.#app.client.call('updateNotificationSettings', { off, quietFrom, quietTo }));
      this.#app.say(t('saved'));
    });
  }
}
