import { h } from '../dom.js';
import { link } from '../fragment.js';
import { coordinate, timeAt } from '../format.js';
import { icon } from '../icons.js';
import { Pictures } from '../pictures.js';
import { explain, t } from '../strings.js';
import { AUDIENCES, dayHeading } from '../visits.js';
import { ask, choice, mockSign, nameOf, openDialog, small } from './parts.js';
import { shareVisit } from './share.js';
import { audienceSign, companionsLine, kindLine, outcomeSign, photoWords, weatherSign } from './visitrow.js';

/** One visit: the user's own, or one shared by a friend. */
export class VisitView {
  #app;
  #id;
  #visit = null;
  #pictures;
  #signs = h('p.visit-signs');

  constructor(app, id) {
    this.#app = app;
    this.#id = id;
    this.#pictures = new Pictures(app.client);
    this.root = h('section.visit-page', {}, h('p.quiet', {}, t('loading')));
  }

  leave() {
    this.#pictures.leave();
  }

  async online() {
    try {
      await this.#app.directory.categories();
      const visit = await this.#app.client.call('getVisit', { visitId: this.#id });
      if (!this.root.isConnected) return;
      // The same version has the same content, and its photos are shown already.
      if (visit.version === this.#visit?.version) return;
      this.#visit = visit;
      this.#draw();
    } catch (error) {
      if (!error.code) throw error;
      if (this.#visit || error.code.startsWith('client.')) return;
      this.root.replaceChildren(this.#back(), h('p.empty', {}, explain(error)));
    }
  }

  #back() {
    const { user } = this.#visit ?? {};
    return h('a.backlink', { href: user ? link('visits', 'of', user.userId) : link('visits') }, '‹ ', t('visits'));
  }

  #draw() {
    const visit = this.#visit;
    const { place = {}, title, memo, promiseId, user } = visit;
    this.root.replaceChildren(...[
      this.#back(), ...this.#head(), title && h('p.visit-title', {}, title), memo && h('p.memo', {}, memo), this.#photos(),
      companionsLine(visit) && h('p', {}, companionsLine(visit)),
      this.#signs, this.#weatherCredit(),
      h('div.buttons', {}, place.placeId && h('a.button.small', { href: link('place', place.placeId) }, t('about-place')),
        promiseId && !user && h('a.button.small', { href: link('promise', promiseId) }, t('visit.promise'))),
      !user && this.#settings(),
    ].filter(Boolean));
    this.#drawSigns();
    document.title = `${place.name ?? t('visits')} · promised`;
    this.#pictures.sweep();
    this.#drawMap();
  }

  #drawSigns() {
    const visit = this.#visit;
    this.#signs.replaceChildren(...[weatherSign(visit), outcomeSign(visit), visit.mock && mockSign(), !visit.user && audienceSign(visit)].filter(Boolean));
  }

  #head() {
    const { place = {}, category, visitedAt, localDate, user } = this.#visit;
    const { latitude = 0, longitude = 0 } = place;
    return [
      h('div.title', {}, h('span.mark', {}, icon(this.#app.directory.icon(category))), h('h1', {}, place.name || coordinate(latitude, longitude))),
      h('div', {}, h('p.quiet', {}, [user && nameOf(user), dayHeading(localDate), timeAt(visitedAt, place), kindLine(this.#visit)]
        .filter(Boolean).join(' · ')),
        place.address && h('p.quiet', {}, place.address)),
    ];
  }

  #photos() {
    const { photos = [] } = this.#visit;
    return photos.length > 0 && h('ul.photos', {}, photos.map(({ file, caption }, index) => h('li', {}, h('figure', {},
      h('button.look', { type: 'button', 'aria-label': t('photo.look', { name: photoWords(this.#visit, index) }),
        onclick: () => this.#look(index) }, this.#pictures.image(file, '')),
      caption && h('figcaption', {}, caption)))));
  }

  /** Opens a photo at the size of the window. */
  #look(index) {
    const { file } = this.#visit.photos[index];
    const words = photoWords(this.#visit, index);
    openDialog(words, this.#pictures.image(file, words), () => this.#pictures.sweep()).classList.add('gallery');
  }

  /** Forecasts are shown with their source, also later. */
  #weatherCredit() {
    const { attribution } = this.#visit.weather ?? {};
    return attribution && h('p.quiet', {}, attribution);
  }

  #settings() {
    const audience = choice(t('audience'), 'audience', AUDIENCES.map((one) => [one, t('audience.' + one)]));
    const select = audience.querySelector('select');
    select.value = this.#visit.audience ?? 'PRIVATE';
    select.addEventListener('change', () => this.#share(select));
    return h('section.own-visit', {}, audience, h('p.quiet', {}, t('audience.hint')), h('div.buttons', {},
      h('a.button.small', { href: link('visit', this.#id, 'edit') }, t('edit')),
      small(t('share'), (button) => shareVisit(this.#app, button, this.#visit)),
      small(t('delete'), (button) => this.#delete(button), { kind: 'grave' })));
  }

  async #share(select) {
    const { version } = this.#visit;
    const visit = await this.#app.run(select, () =>
      this.#app.client.call('updateVisit', { visitId: this.#id, version, audience: select.value }));
    if (visit) {
      this.#visit = visit;
      this.#app.say(t('saved'));
      // The photos stay as they are.
      this.#drawSigns();
      select.focus();
    } else select.value = this.#visit.audience ?? 'PRIVATE';
  }

  async #delete(button) {
    const { place, photos = [] } = this.#visit;
    const sure = await ask({
      title: t('visit.delete-sure', { name: place?.name ?? '' }), confirm: t('delete'), isGrave: true,
      content: photos.length > 0 ? [h('p', {}, t('visit.delete-photos', { n: photos.length }))] : [],
    });
    if (!sure) return;
    await this.#app.run(button, async () => {
      await this.#app.client.call('deleteVisit', { visitId: this.#id });
      this.#app.say(t('visit.deleted'));
      this.#app.go('visits');
    });
  }

  #drawMap() {
    const { map, directory } = this.#app;
    const { place = {}, category, visitId } = this.#visit;
    const { latitude = 0, longitude = 0 } = place;
    map?.setSigns([{ id: visitId, at: [latitude, longitude], name: place.name ?? '', icon: directory.icon(category), line: '', isSelected: true }]);
    map?.focus(latitude, longitude);
  }
}
