import { h, setText, show } from '../dom.js';
import { inviteAddress } from '../fragment.js';
import { explain, t } from '../strings.js';
import { ask, choice, field, openDialog, small } from './parts.js';

/** Data that an invite link shows before anyone joins, from the least on. */
const PREVIEWS = ['NONE', 'TITLE', 'TIME', 'PLACE'];

/**
 * Asks before it joins a promise by a code.
 * @param {string|null} code that of an invite link; null: typed in the dialog, as a code or a link
 * @returns {Promise<boolean>} `false` if the answer did not reach the server
 */
export async function join(app, code = null) {
  const content = code ? [h('p', {}, t('join-invited'))]
    : [field(t('code'), { name: 'code', required: true, autocomplete: 'off', maxlength: 200 })];
  const data = await ask({ title: t(code ? 'join-invited.title' : 'join-by-code'), content, confirm: t('join') });
  if (!data) return true;
  const typed = code ?? data.get('code').trim().replace(/^.*\/j\//, '');
  try {
    const { promise } = await app.client.call('joinByCode', { code: typed });
    app.go('promise', promise.promiseId);
    return true;
  } catch (error) {
    app.say(explain(error), { isUrgent: true });
    return !error.code?.startsWith('client.');
  }
}

/** The invite link of a promise: its address, ways to pass it on, and what it shows before anyone joins. */
export class InvitePart {
  #view;
  #code = '';

  constructor(view) {
    this.#view = view;
    const { app } = view;
    this.address = h('input', { readonly: true, 'aria-label': t('invite.address'), onfocus: ({ target }) => target.select() });
    this.code = h('strong');
    this.pass = small(t('share'), (button) => this.#share(button), { kind: 'primary' });
    this.picture = small(t('invite.qr'), () => this.#showPicture());
    this.revoke = small(t('revoke-code'), (button) => this.#revoke(button));
    this.previews = choice(t('invite.preview'), 'preview', PREVIEWS.map((one) => [one, t('invite.preview.' + one)]));
    this.previews.querySelector('select').addEventListener('change', ({ target }) => this.#setPreview(target));
    show(this.picture, app.hasQRCodes);
    this.root = h('div.invite-link.stack', { hidden: true },
      this.address, h('p.code.invite-code', {}, t('invite-code-is'), ' ', this.code), this.previews,
      h('div.buttons', {}, this.pass, this.picture, this.revoke));
  }

  /** Creates a code, which replaces the previous one. */
  make(button) {
    const { app, id, meetup } = this.#view;
    return app.run(button, async () => {
      ({ code: this.#code } = await app.client.call('createInvite', { promiseId: id }));
      this.address.value = inviteAddress(app.origin, this.#code);
      setText(this.code, this.#code);
      this.previews.querySelector('select').value = meetup.promise.preview ?? 'TIME';
      show(this.root, true);
    });
  }

  #share(button) {
    const { app, meetup } = this.#view;
    const url = this.address.value;
    return app.run(button, async () => {
      if (navigator.share) {
        return navigator.share({ title: meetup.promise.title, url }).catch(({ name }) => {
          if (name !== 'AbortError') this.address.select();
        });
      }
      this.address.select();
      try {
        await navigator.clipboard.writeText(url);
        return app.say(t('link.copied'));
      } catch {
        // Pages without TLS have no clipboard; the text is selected, so the keyboard copies it.
        return app.say(t('link.copy-yourself'));
      }
    });
  }

  #showPicture() {
    const { app } = this.#view;
    return app.run(this.picture, async () => {
      const draw = await generator();
      const code = draw(0, 'M');
      code.addData(this.address.value);
      code.make();
      openDialog(t('invite.qr'), h('img.qr', { src: code.createDataURL(8, 32), alt: this.address.value }));
    });
  }

  /** The owner changes what the link shows. */
  #setPreview(select) {
    const { app, id, meetup } = this.#view;
    return app.run(select, async () => {
      const { promise } = await app.client.call('getPromise', { promiseId: id });
      await app.client.call('updatePromise', { promiseId: id, version: promise.version, preview: select.value });
      meetup.promise.preview = select.value;
    }).then(() => { select.value = meetup.promise.preview ?? 'TIME'; });
  }

  #revoke(button) {
    const { app, id } = this.#view;
    return app.run(button, async () => {
      await app.client.call('revokeInvite', { promiseId: id });
      show(this.root, false);
      app.say(t('revoked'));
    });
  }
}

/** The library for QR codes, loaded when it is first needed; it is a classic script. */
let loading = null;
function generator() {
  loading ??= new Promise((resolve, reject) => {
    const onerror = () => {
      loading = null;
      script.remove();
      reject(Object.assign(new Error('The library for QR codes did not load.'), { code: 'client.offline' }));
    };
    const script = h('script', { src: '/assets/qrcode.js', onload: () => resolve(globalThis.qrcode), onerror });
    document.head.append(script);
  });
  return loading;
}
