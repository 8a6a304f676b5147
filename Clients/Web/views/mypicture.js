import { h, setText, show } from '../dom.js';
import { preparedPicture } from '../promised.js';
import { explain, t } from '../strings.js';
import { avatar, small } from './parts.js';

/** The user's profile picture: shown, chosen from a file, removed. */
export class MyPicturePart {
  #app;

  constructor(app) {
    this.#app = app;
    this.input = h('input', { type: 'file', accept: 'image/*', hidden: true, name: 'picture' });
    this.input.addEventListener('change', () => this.#take());
    this.face = h('span');
    this.choose = small(t('picture.choose'), () => this.input.click());
    this.remove = small(t('picture.remove'), (button) => this.#app.run(button, () => this.#set('')));
    this.error = h('p.error', { role: 'alert' });
    this.root = h('div', {}, h('div.my-picture', {}, this.face, this.choose, this.remove, this.input),
      h('p.quiet', {}, t('picture.hint')), this.error);
  }

  draw(user) {
    this.face.replaceChildren(avatar(user));
    setText(this.choose, t(user.picture ? 'picture.change' : 'picture.choose'));
    show(this.remove, Boolean(user.picture));
  }

  #take() {
    const [file] = this.input.files;
    this.input.value = '';
    setText(this.error, '');
    if (file) this.#app.run(this.choose, () => this.#upload(file));
  }

  async #upload(file) {
    try {
      const { fileId } = await this.#app.client.upload(await preparedPicture(file), { kind: 'PICTURE' });
      await this.#set(fileId);
    } catch (error) {
      // Beside the button: it is about the chosen file.
      setText(this.error, explain(error));
    }
  }

  async #set(pictureFileId) {
    const { user } = await this.#app.client.updateMe({ pictureFileId });
    this.#app.userChanged();
    this.draw(user);
    this.#app.say(t('saved'));
  }
}
