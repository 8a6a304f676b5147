import { PromisedClient } from './promised.js';
import { Directory } from './directory.js';
import { forgetFaces, readFacesBy } from './faces.js';
import { h } from './dom.js';
import { Focus } from './focus.js';
import { WATCHING, go, link, route, takeCode } from './fragment.js';
import { Inbox } from './inbox.js';
import { invitation } from './invitation.js';
import { KeptFiles } from './keptfiles.js';
import { MeetupMap } from './map/map.js';
import { Notices } from './notices.js';
import { Recording } from './recording.js';
import { PlaceSearch } from './search.js';
import { Sharing } from './sharing.js';
import { explain, language, t } from './strings.js';
import { BadgesView } from './views/badges.js';
import { BarPart } from './views/bar.js';
import { CourseView } from './views/course.js';
import { CoursesView } from './views/courses.js';
import { EditorView } from './views/editor.js';
import { FavouritesView } from './views/favourites.js';
import { FriendsView } from './views/friends.js';
import { HomeView } from './views/home.js';
import { join } from './views/invite.js';
import { MeView } from './views/me.js';
import { MeetupView } from './views/meetup.js';
import { NotificationsView, notificationText } from './views/notifications.js';
import { PlaceView } from './views/place.js';
import { PlacesView } from './views/places.js';
import { RecordView, drawRecordingSign } from './views/record.js';
import { doubtText } from './views/sharing.js';
import { drawSharingSign } from './views/sharingsign.js';
import { SignInView } from './views/signin.js';
import { VisitView } from './views/visit.js';
import { VisitEditorView } from './views/visiteditor.js';
import { VisitsView } from './views/visits.js';
import { WatchView } from './views/watch.js';
import { WaypointsView } from './views/waypoints.js';

/** Where this tab stores the code of its view link, for a reload. */
const LINK = 'promised.link';
/** Kinds of notifications that another event already reports to this page. */
const TOLD = ['INVITED', 'FRIEND_REQUESTED'];
const byId = (id) => document.getElementById(id);

/** The whole page: the connection, the map, and the visible view. */
export class App {
  client = new PromisedClient({ client: { name: 'promised-web', version: '1', platform: navigator.platform || 'web' } });
  /** The map; null without Leaflet. */
  map = null;
  /** The known part of the place directory. */
  directory = new Directory(this.client);
  /** The user's search of the directory. */
  search = new PlaceSearch();
  /** The number of unread notifications. */
  inbox = new Inbox(this.client);
  /** The recording of this tab. */
  recording = new Recording(this.client);
  /** The promises for which this tab shares the position. */
  sharing = new Sharing(this.client);
  #focus = new Focus(this.client);
  #bar = new BarPart(byId('bar'), this.inbox);
  #facts;
  #notices = new Notices(byId, () => this.#reconnect());
  #view = null;
  #path = null;
  #wasCut = false;
  #isAsking = false;
  /** The version of each promise at this user's last invitation. */
  #invitations = new Map();

  /** @param {object} facts `/assets/config.json` */
  constructor(facts) {
    this.#facts = facts;
  }

  /** How the server manages accounts: `local` or `issuer`. */
  get accounts() {
    return this.#facts.accounts ?? 'local';
  }

  /** The origin of links to this server. */
  get origin() {
    return this.#facts.base ?? location.origin;
  }

  /** `true` if the server has the library for QR codes. */
  get hasQRCodes() {
    return this.#facts.qrCodes === true;
  }

  async start() {
    const code = takeCode();
    readFacesBy(this.client);
    await this.#makeMap();
    this.#drawBar();
    this.client.addEventListener('state', () => this.#stateChanged());
    this.client.addEventListener('event', ({ detail }) => this.#eventCame(detail));
    this.client.addEventListener('trouble', ({ detail }) => this.say(explain(detail)));
    this.recording.addEventListener('change', () => drawRecordingSign(byId('recording'), this));
    this.recording.addEventListener('finished', ({ detail }) => this.say(t('record.finished', { title: detail.title ?? '' })));
    this.sharing.addEventListener('change', () => this.#drawSharing());
    addEventListener('hashchange', () => this.#enter(takeCode()));
    addEventListener('online', () => this.#reconnect());
    addEventListener('offline', () => this.#check());
    document.addEventListener('visibilitychange', () => document.hidden || this.#reconnect());
    await this.#enter(code);
  }

  /** Asks about the invite link that opened this tab; the code stays until the user has answered. */
  async #askToJoin() {
    const { code } = invitation;
    // A reconnect must not open a second dialog.
    if (!code || this.#isAsking) return;
    this.#isAsking = true;
    try {
      if (await join(this, code) && invitation.code === code) invitation.take();
    } finally {
      this.#isAsking = false;
    }
  }

  /** Sends the user's language to the server, for names of categories and texts to share. */
  async tellLanguage() {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    try {
      await this.client.updateMe({ locale: language, ...(timeZone && { timeZone }) });
    } catch (error) {
      // The server may not know the zone.
      if (error.field === 'timeZone') await this.client.updateMe({ locale: language }).catch(() => undefined);
    }
    this.directory.forget();
  }

  /** Uses a code from the address bar, if any, and shows its target. */
  async #enter(code) {
    if (code?.kind === 'view') {
      sessionStorage.setItem(LINK, code.code);
      // View links do not use the account that is signed in here.
      this.client.close();
      // Another code in the same tab has another target.
      this.#path = null;
    }
    if (code?.kind === 'demo') await this.#exchange(code.code);
    if (code?.kind === 'invite') invitation.keep(code.code);
    this.#show();
  }

  /** Signs in by a one-time code, and opens the current promise. */
  async #exchange(code) {
    try {
      await this.client.exchangeCode(code);
      for (const list of ['TRACKING', 'UPCOMING']) {
        const { promises = [] } = await this.client.call('listPromises', { list, limit: 1 });
        if (promises.length === 0) continue;
        history.replaceState(null, '', link('promise', promises[0].promiseId));
        return;
      }
    } catch (error) {
      this.say(error.code === 'code.invalid' ? t('demo-code') : explain(error), { isUrgent: true });
    }
  }

  /** Shows the user's changed card everywhere on the page. */
  userChanged() {
    this.#drawBar();
    this.#view?.userChanged?.(this.client.user);
  }

  /** Shows a toast. */
  say(text, options) {
    this.#notices.say(text, options);
  }

  /** Announces a text to screen readers only: it is already visible. */
  announce(text) {
    this.#notices.announce(text);
  }

  /** Shows a noteworthy connection state; see {@link Notices}. */
  showConnection(state, options) {
    this.#notices.showConnection(state, options);
  }

  /** Runs a button's action: disables the button meanwhile, and shows errors. */
  async run(button, work) {
    if (button?.disabled) return undefined;
    if (button) button.disabled = true;
    try {
      return await work();
    } catch (error) {
      this.say(explain(error), { isUrgent: true });
      return undefined;
    } finally {
      if (button) button.disabled = false;
    }
  }

  /** Shows an error of a loading view, unless the connection was cut: the next one loads again. */
  fail(error) {
    if (!error.code) throw error;
    if (!error.code.startsWith('client.')) this.say(explain(error), { isUrgent: true });
  }

  // Views

  #show() {
    const isWatching = route()[0] === WATCHING;
    if (!isWatching) this.client.connect();
    const path = isWatching || this.client.user !== null ? route() : ['sign-in'];
    const key = path.join('/');
    if (key === this.#path) return;
    const isFirst = this.#path === null;
    this.#path = key;
    this.#view?.leave?.();
    // A dialog belongs to its view; the browser's Back closes both.
    document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close());
    this.clearMap();
    this.#view = this.#make(path);
    const panel = byId('panel');
    panel.replaceChildren(this.#view.root);
    panel.scrollTop = 0;
    document.body.dataset.view = path[0] ?? 'home';
    document.title = 'promised';
    this.#focus.show(path);
    // The focus follows from view to view; on opening, the page leaves it to the browser.
    if (!isFirst) panel.focus({ preventScroll: true });
    this.#drawBar();
    this.#drawSharing();
    if (this.client.state === 'online') this.#view.online?.();
  }

  #make(path) {
    const [first, id, more, last] = path;
    if (first === WATCHING) {
      return new WatchView(this, sessionStorage.getItem(LINK), () => sessionStorage.removeItem(LINK));
    }
    if (first === 'sign-in') return new SignInView(this);
    if (first === 'friends') return new FriendsView(this);
    if (first === 'me') return new MeView(this);
    if (first === 'notifications') return new NotificationsView(this);
    if (first === 'places') return id === 'favourites' ? new FavouritesView(this) : new PlacesView(this);
    if (first === 'place' && id) return new PlaceView(this, id);
    if (first === 'visits') return this.#makeVisits(id, more, last);
    if (first === 'visit' && id) return more === 'edit' ? new VisitEditorView(this, id) : new VisitView(this, id);
    if (first === 'courses') return this.#makeCourses(id, more);
    if (first === 'course' && id) return more === 'waypoints' ? new WaypointsView(this, id) : new CourseView(this, id);
    if (first === 'record') return new RecordView(this);
    if (first === 'new') return new EditorView(this, null, id && more ? { kind: id, id: more } : null);
    if (first === 'promise' && id && more === 'edit') return new EditorView(this, id);
    if (first === 'promise' && id) return new MeetupView(this, id);
    return new HomeView(this);
  }

  #makeVisits(part, subject, value) {
    if (part === 'badges') return new BadgesView(this);
    if (part === 'new') return new VisitEditorView(this, null, value ? { kind: subject, value } : null);
    return new VisitsView(this, { userId: part === 'of' ? subject : '', placeId: part === 'place' ? subject : '' });
  }

  #makeCourses(part, folderId = '') {
    const list = { shared: 'SHARED', recommended: 'RECOMMENDED' }[part] ?? 'MINE';
    return new CoursesView(this, list, part === 'folder' ? folderId : '');
  }

  // Connection

  #reconnect() {
    this.client.reconnect();
    this.#view?.reconnect?.();
    // The existing connection may have been cut while the device slept.
    this.#check();
  }

  #check() {
    this.client.check();
    this.#view?.check?.();
  }

  #stateChanged() {
    const { state } = this.client;
    this.showConnection(state);
    document.body.dataset.state = state;
    if (state === 'online') {
      if (this.#wasCut) this.say(t('state.back'));
      this.#wasCut = false;
      this.#show();
      this.#view?.online?.();
      if (route()[0] !== WATCHING) this.#askToJoin();
    }
    if (state === 'waiting') this.#wasCut = true;
    if (state === 'signed-out') {
      // The favourites among the results belong to the previous user.
      this.search = new PlaceSearch();
      forgetFaces();
      new KeptFiles(this.client).forget();
      this.#show();
    }
  }

  #eventCame(event) {
    const { friendRequested, friendAdded, invited, notification } = event;
    if (friendRequested) this.say(t('friend-requested', { name: friendRequested.user.nickname }));
    if (friendAdded) this.say(t('friends-now', { name: friendAdded.user.nickname }));
    if (invited && this.#isInvitation(invited.promise)) this.say(t('you-are-invited', { title: invited.promise.title }));
    if (event.cannotCount && event.promiseId !== this.#shownPromise) this.say(doubtText(event.cannotCount), { isUrgent: true });
    const told = notification?.notification;
    if (told && !told.read && !TOLD.includes(told.kind)) this.say(notificationText(told));
    this.#view?.event?.(event);
  }

  /** `true` if an event invites this user; it may arrive twice, for the user and for followers of the promise. */
  #isInvitation({ promiseId, version, participants = [] }) {
    const isMine = (one) => one.user.userId === this.client.user?.userId && one.membership === 'INVITED';
    const isNew = this.#invitations.get(promiseId) !== (version ?? 0);
    this.#invitations.set(promiseId, version ?? 0);
    return isNew && participants.some(isMine);
  }

  // Surroundings

  #drawBar() {
    const at = this.#path?.split('/')[0] ?? '';
    this.#bar.draw(at, at === WATCHING ? null : this.client.user);
  }

  /** Sharing continues beside other views, which therefore show it. */
  #drawSharing() {
    const beside = this.sharing.all.filter(({ promiseId }) => promiseId !== this.#shownPromise);
    drawSharingSign(byId('sharing'), beside, {
      isOnline: this.client.state === 'online', onStop: (promiseId, button) => this.run(button, () => this.sharing.pause(promiseId)),
    });
  }

  /** The id of the visible promise; null for none. */
  get #shownPromise() {
    const [first, id, more] = this.#path?.split('/') ?? [];
    return first === 'promise' && !more ? id : null;
  }

  async #makeMap() {
    const element = byId('map');
    byId('map-region').setAttribute('aria-label', t('map'));
    byId('toasts').setAttribute('aria-label', t('notices'));
    if (this.#facts.leaflet) {
      const L = await import('/assets/leaflet/leaflet.esm.js');
      this.map = new MeetupMap(L, element, this.#facts.tiles);
    } else {
      element.append(h('p.no-map', { role: 'alert' }, t('no-leaflet')));
    }
  }

  /** Removes everything from the map. */
  clearMap() {
    this.map?.setPlace(null);
    this.map?.setPins([]);
    this.map?.setSigns([]);
    this.map?.setWays([]);
    this.map?.marks.set([]);
    this.map?.setPeople([], 0);
  }

  /** Opens a view. */
  go(...parts) {
    go(...parts);
  }
}
