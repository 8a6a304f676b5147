import { h, setText, show } from '../dom.js';
import { distance, time } from '../format.js';
import { canLocate } from '../locator.js';
import { refusal } from '../reasons.js';
import { t } from '../strings.js';
import { ask, field, small } from './parts.js';

/** A receiver under the open sky is at least so accurate. */
const GOOD_METRES = 30;
/** States of a position that is still being sent. */
const FRESH = ['LIVE', 'LAGGING'];

/** The user's own actions: sharing the position, checking in, and a status. */
export class SharingPart {
  #view;
  #redraw = () => this.draw();

  constructor(view) {
    this.#view = view;
    view.app.sharing.addEventListener('change', this.#redraw);
    this.sign = h('p.sign', { role: 'status' });
    this.doubt = h('p.doubt', { role: 'alert', hidden: true });
    this.start = small(t('share.start'), (button) => this.#begin(button), { kind: 'primary' });
    this.pause = small(t('share.pause'), (button) => this.#pause(button));
    this.here = small(t('check-in'), (button) => this.#checkIn(button));
    this.byCode = small(t('check-in.enter'), () => this.#checkInByCode());
    this.showCode = small(t('check-in.show'), (button) => this.#showCode(button));
    this.setStatus = small(t('set-status'), () => this.#askStatus());
    this.code = h('p.code', { hidden: true }, t('check-in.your-code'), h('strong'));
    this.root = h('section.own', { 'aria-label': t('share.title') },
      h('div.own-line', {}, this.sign, this.start, this.pause), this.doubt,
      h('div.buttons', {}, this.here, this.byCode, this.showCode, this.setStatus), this.code);
  }

  /** Leaves the view; sharing continues. */
  leave() {
    this.#view.app.sharing.removeEventListener('change', this.#redraw);
  }

  /** Applies a new subscription: the time until the next report, in milliseconds of the server's clock; 0 for never. */
  follow(nextReportMs) {
    this.#view.app.sharing.follow(this.#view.meetup.promise, nextReportMs);
    this.draw();
  }

  event(event) {
    this.#view.app.sharing.event(this.#view.meetup.promise, event);
  }

  draw() {
    const { app, id, meetup, mine, status } = this.#view;
    if (!meetup.promise) return;
    app.sharing.obey(meetup);
    const isIn = mine?.membership === 'ACCEPTED' && !['FINAL', 'CANCELLED'].includes(status);
    show(this.root, isIn);
    if (!isIn) return;
    const isLive = status === 'TRACKING';
    const hasArrived = mine.arrival?.stage === 'CONFIRMED';
    const share = app.sharing.of(id);
    const isOn = share !== null;
    this.root.dataset.sharing = isOn ? (share.trouble || share.rejected ? 'trouble' : 'on') : 'off';
    setText(this.sign, this.#signText(status, hasArrived, share));
    this.#drawDoubt(isLive && !mine.arrival ? app.sharing.doubt(id) : null);
    show(this.start, isLive && !isOn && !hasArrived && canLocate() && !this.#isElsewhere);
    show(this.pause, isOn || (isLive && !hasArrived && this.#isSeen));
    show(this.here, isLive && !hasArrived);
    show(this.byCode, isLive && !hasArrived);
    show(this.showCode, isLive && hasArrived);
    show(this.code, isLive && hasArrived && this.code.lastChild.textContent !== '');
  }

  #drawDoubt(doubt) {
    show(this.doubt, doubt !== null);
    setText(this.doubt, doubt ? doubtText(doubt) : '');
  }

  /** The user's own state in one line: whether others see them, and if not, why. */
  #signText(status, hasArrived, share) {
    const { app, meetup } = this.#view;
    if (status === 'SCHEDULED') return t('share.later', { time: time(meetup.promise.opensAt) });
    if (status !== 'TRACKING') return t('share.over');
    if (hasArrived) return t('share.done');
    if (share?.trouble) return t(share.trouble === 'PERMISSION' ? 'share.denied' : 'share.unavailable');
    if (share && app.client.state !== 'online') return t('share.offline');
    if (share?.rejected) return t('share.rejected', { reason: refusal(share.rejected) });
    if (share) return sharingText(share.accuracy);
    if (!this.#isSeen) return t(canLocate() ? 'share.off' : 'share.insecure');
    return t(this.#isElsewhere ? 'share.elsewhere' : 'share.last');
  }

  /** `true` if others see a position of the user that this tab did not send, or sent before. */
  get #isSeen() {
    const { mine } = this.#view;
    return mine.sharing === true && Boolean(mine.position);
  }

  get #isElsewhere() {
    return this.#isSeen && FRESH.includes(this.#view.mine.presence?.freshness);
  }

  // Sharing

  async #begin(button) {
    const { app, id, meetup } = this.#view;
    if (!app.sharing.isRemembered(id)) {
      const consent = await ask({ title: t('consent.title'), content: [h('p', {}, t('consent.text'))], confirm: t('consent.yes') });
      if (!consent) return;
    }
    await app.run(button, async () => {
      if (this.#view.mine.sharing !== true) await this.#setSharing(true);
      app.sharing.start(meetup.promise);
      this.draw();
    });
  }

  async #pause(button) {
    const { app, id, mine } = this.#view;
    await app.run(button, async () => {
      await app.sharing.pause(id);
      mine.sharing = false;
    });
    this.draw();
  }

  async #setSharing(on) {
    await this.#view.app.client.call('setSharing', { promiseId: this.#view.id, on });
    this.#view.mine.sharing = on;
  }

  // Checking in, status

  #checkIn(button, code) {
    const { app, id } = this.#view;
    return app.run(button, async () => {
      await app.client.call('checkIn', { promiseId: id, ...(code ? { code } : {}) });
      app.say(t('check-in.done'));
    });
  }

  async #checkInByCode() {
    const input = field(t('check-in.code'), { name: 'code', required: true, inputmode: 'numeric', pattern: '[0-9]{6}', maxlength: 6, autocomplete: 'off' });
    const data = await ask({ title: t('check-in.enter'), content: [input], confirm: t('check-in.enter') });
    if (data) await this.#checkIn(this.byCode, data.get('code'));
  }

  #showCode(button) {
    const { app, id } = this.#view;
    return app.run(button, async () => {
      const { code } = await app.client.call('getCheckInCode', { promiseId: id });
      setText(this.code.lastChild, code);
      this.draw();
    });
  }

  async #askStatus() {
    const { app, id, mine } = this.#view;
    const data = await ask({ title: t('set-status'), confirm: t('save'), content: [
      field(t('emoji'), { name: 'emoji', maxlength: 64, value: mine.emoji ?? '', autocomplete: 'off' }),
      field(t('status-text'), { name: 'text', maxlength: 80, value: mine.statusText ?? '', autocomplete: 'off' }),
    ] });
    if (!data) return;
    const [text, emoji] = [data.get('text').trim(), data.get('emoji').trim()];
    await app.run(this.setStatus, () => app.client.call('setStatus', { promiseId: id, text, emoji }));
  }
}

/** That the position is shared, and how accurate it is unless it is good. */
function sharingText(accuracy) {
  if (accuracy === null) return t('share.waiting');
  return accuracy <= GOOD_METRES ? t('share.on') : [t('share.on'), t('share.accuracy', { distance: distance(accuracy) })].join(' · ');
}

/** The notice that positions near the place cannot count, with the remedy. */
export const doubtText = ({ errorMetres = 0, limitMetres = 0 }) => t('share.cannot-count', {
  error: distance(Math.ceil(errorMetres)), limit: distance(limitMetres), button: t('check-in'),
});
