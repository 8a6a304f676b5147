import { h, setText } from '../dom.js';
import { LANGUAGES, chooseLanguage, explain, language, t } from '../strings.js';
import { UNITS, chooseUnits, units } from '../units.js';
import { MyPicturePart } from './mypicture.js';
import { NicknameField } from './nicknamefield.js';
import { choice } from './parts.js';

/** The parts of the account that the user can change: picture, nickname, language, time zone, units, visits of arrivals. */
export class AccountPart {
  #app;
  #picture;
  #drawn = null;

  constructor(app) {
    this.#app = app;
    this.#picture = new MyPicturePart(app);
    this.root = h('section.stack', {}, h('h2', {}, t('account')));
  }

  draw({ user, timeZone = '', visitsFromArrivals = false }) {
    const shape = JSON.stringify({ user, timeZone, visitsFromArrivals });
    // After a cut connection the same account must not replace what the user is typing.
    if (shape === this.#drawn) return;
    this.#drawn = shape;
    this.#picture.draw(user);
    this.root.replaceChildren(h('h2', {}, t('account')), this.#picture.root, this.#nickname(user),
      this.#languageChoice(), this.#zoneChoice(timeZone), this.#unitsChoice(), this.#visitsSwitch(visitsFromArrivals));
  }

  #nickname(user) {
    const name = new NicknameField(this.#app.client, user.nickname);
    const error = h('p.error', { role: 'alert' });
    const submit = h('button', { type: 'submit' }, t('nickname.change'));
    const save = async () => {
      setText(error, '');
      if (name.value === user.nickname) return;
      try {
        const me = await this.#app.client.updateMe({ nickname: name.value });
        this.#app.userChanged();
        this.draw(me);
        this.#app.say(t('saved'));
      } catch (problem) {
        setText(error, explain(problem));
      }
    };
    return h('form.stack.nickname', {
      onsubmit: (event) => {
        event.preventDefault();
        this.#app.run(submit, save);
      },
    }, name.root, error, h('div.buttons', {}, submit));
  }

  /** A choice whose list shows the present value until the change is stored. */
  #choice(label, name, options, value, change) {
    const part = choice(label, name, options);
    const select = part.querySelector('select');
    select.value = value;
    select.addEventListener('change', () => this.#app.run(select, async () => {
      const wanted = select.value;
      select.value = value;
      await change(wanted, select);
    }));
    return part;
  }

  #languageChoice() {
    return this.#choice(t('language'), 'language', LANGUAGES, language, async (locale) => {
      await this.#app.client.updateMe({ locale });
      chooseLanguage(locale);
      // All texts are read when the page is loaded.
      location.reload();
    });
  }

  #zoneChoice(zone) {
    const names = new Set([...(zone ? [zone] : []), 'UTC', ...Intl.supportedValuesOf('timeZone')]);
    const options = [...names].sort().map((name) => [name, name.replaceAll('_', ' ')]);
    const part = this.#choice(t('time-zone'), 'timeZone', options, zone, async (timeZone) => {
      this.draw(await this.#app.client.updateMe({ timeZone }));
      this.#app.say(t('saved'));
    });
    part.append(h('small', {}, t('time-zone.hint')));
    return part;
  }

  #unitsChoice() {
    return this.#choice(t('units'), 'units', UNITS.map((one) => [one, t('units.' + one)]), units, (wanted) => {
      chooseUnits(wanted);
      location.reload();
    });
  }

  #visitsSwitch(isOn) {
    const box = h('input', { type: 'checkbox', role: 'switch', name: 'visitsFromArrivals', checked: isOn, 'aria-describedby': 'arrivals-hint' });
    box.addEventListener('change', () => this.#app.run(box, async () => {
      const wanted = box.checked;
      // The box shows the server's state, also after a refusal.
      box.checked = !wanted;
      box.checked = (await this.#app.client.updateMe({ visitsFromArrivals: wanted })).visitsFromArrivals ?? false;
      this.#app.say(t('saved'));
    }));
    return h('div', {}, h('label.check', {}, box, t('arrivals.switch')), h('p.quiet', { id: 'arrivals-hint' }, t('arrivals.hint')));
  }
}
