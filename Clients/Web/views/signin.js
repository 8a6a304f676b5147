import { h, setText, show } from '../dom.js';
import { invitation } from '../invitation.js';
import { explain, t } from '../strings.js';
import { NicknameField } from './nicknamefield.js';
import { field, scene } from './parts.js';

/** Signing in, or creating an account. */
export class SignInView {
  #app;
  #isNew = false;

  constructor(app) {
    this.#app = app;
    this.card = h('div.welcome');
    this.root = h('section.entry', {}, scene(), this.card);
    this.#draw();
  }

  #draw() {
    const parts = this.#app.accounts === 'issuer' ? [h('p', {}, t('issuer'))] : [this.#form(), !this.#isNew && forgotten(), this.#other()];
    const points = h('ul.points', {}, [1, 2, 3].map((number) => h('li', {}, t('point.' + number))));
    this.card.replaceChildren(h('h1', {}, 'promised'), h('p.lead', {}, t(invitation.code ? 'join-invited.first' : 'tagline')), ...parts.filter(Boolean), points);
  }

  #form() {
    const error = h('p.error', { role: 'alert' });
    const nickname = this.#isNew && new NicknameField(this.#app.client).root;
    const password = field(t('password'), {
      name: 'password', type: 'password', required: true, minlength: this.#isNew ? 8 : null,
      autocomplete: this.#isNew ? 'new-password' : 'current-password',
    }, this.#isNew ? t('password-hint') : null);
    const submit = h('button.primary', { type: 'submit' }, t(this.#isNew ? 'sign-up' : 'sign-in'));
    const form = h('form.stack', {
      onsubmit: (event) => {
        event.preventDefault();
        this.#enter(new FormData(form), submit, error);
      },
    }, field(t('email'), { name: 'email', type: 'email', required: true, autocomplete: 'email' }), nickname, password, error, submit);
    return form;
  }

  #other() {
    const change = () => {
      this.#isNew = !this.#isNew;
      this.#draw();
      this.root.querySelector('input').focus();
    };
    return h('p.quiet', {}, t(this.#isNew ? 'have-account' : 'new-here'), ' ',
      h('button.link', { type: 'button', onclick: change }, t(this.#isNew ? 'sign-in' : 'sign-up')));
  }

  async #enter(data, submit, error) {
    const [email, password, nickname] = ['email', 'password', 'nickname'].map((name) => data.get(name));
    submit.disabled = true;
    setText(error, '');
    try {
      if (this.#isNew) {
        await this.#app.client.signUp(email, password, nickname);
        await this.#app.tellLanguage();
      } else await this.#app.client.signIn(email, password);
    } catch (problem) {
      setText(error, explain(problem));
    } finally {
      submit.disabled = false;
    }
  }
}

/** The advice for a forgotten password: only the operator can set another one. */
function forgotten() {
  const answer = h('p', { id: 'forgotten', hidden: true }, t('forgot.answer'));
  const button = h('button.link', { type: 'button', 'aria-expanded': 'false', 'aria-controls': 'forgotten' }, t('forgot'));
  button.addEventListener('click', () => {
    show(answer, answer.hidden);
    button.setAttribute('aria-expanded', String(!answer.hidden));
  });
  return h('div.forgotten.quiet', {}, button, answer);
}
