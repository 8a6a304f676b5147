import { h, mark, setText } from '../dom.js';
import { Latest } from '../promised.js';
import { explain, t } from '../strings.js';
import { field } from './parts.js';

const PAUSE_MS = 400;

/** A field for a nickname that says, while one types, whether it is free. */
export class NicknameField {
  #latest;
  #own;

  /**
   * @param {PromisedClient} client
   * @param {string} [own] the user's present nickname, which needs no check
   */
  constructor(client, own = '') {
    this.#own = own;
    this.#latest = new Latest((fields) => client.checkNickname(fields.nickname), {
      onReply: ({ free = false }) => this.#show(free ? 'nickname.free' : 'nickname.taken', free),
      // Without a connection the server judges when the form is sent.
      onError: (error) => this.#say(error.code.startsWith('client.') ? '' : explain(error), false),
    }, { pauseMs: PAUSE_MS });
    this.status = h('small.check-result', { role: 'status' });
    this.root = field(t('nickname'), {
      name: 'nickname', autocomplete: 'username', required: true, minlength: 2, maxlength: 40, value: own, spellcheck: 'false',
    }, t('nickname-hint'));
    this.input = this.root.querySelector('input');
    this.input.addEventListener('input', () => this.#typed());
    this.root.append(this.status);
  }

  get value() {
    return this.input.value.trim();
  }

  #typed() {
    this.#say('', null);
    if ([...this.value].length < 2 || this.value === this.#own) this.#latest.stop();
    else this.#latest.want({ nickname: this.value });
  }

  #show(key, isFree) {
    this.#say(t(key), isFree);
  }

  #say(text, isFree) {
    setText(this.status, text);
    mark(this.status, 'data-free', text ? String(isFree) : null);
  }
}
