import { h, show } from '../dom.js';
import { explain, t } from '../strings.js';
import { CarriedCoursePart } from './carriedcourse.js';
import { LinkPart } from './links.js';
import { ManagePart } from './manage.js';
import { small } from './parts.js';
import { ResultPart } from './result.js';
import { SharingPart } from './sharing.js';
import { StandingPart } from './standing.js';
import { SurroundingsPart } from './surroundings.js';
import { TimelinePart, sentence } from './timeline.js';
import { WasTherePart } from './wasthere.js';
import { Watching } from './watching.js';

/** One promise, watched live by a participant or an invited user. */
export class MeetupView extends Watching {
  #id;
  #feed = null;
  #sharing = null;
  #surroundings = null;
  #wasThere = null;
  #course = null;

  constructor(app, id) {
    super(app);
    this.#id = id;
    this.root = h('section.meetup', {}, h('p.quiet', {}, t('loading')));
  }

  get id() {
    return this.#id;
  }

  get clock() {
    return this.app.client.clock;
  }

  get isGuest() {
    return false;
  }

  get me() {
    return this.app.client.user?.userId ?? null;
  }

  /** The user's own membership. */
  get mine() {
    return this.meetup.person(this.me);
  }

  get isOwner() {
    return this.meetup.promise.ownerId === this.me;
  }

  /** `true` if the server explains an arrival to the user: everyone's to the owner, else the user's own. */
  mayExplain({ userId }) {
    return this.isOwner || userId === this.me;
  }

  leave() {
    super.leave();
    this.#feed?.stop();
    this.app.sharing.viewLeft(this.#id);
  }

  async online() {
    if (this.#feed) return;
    try {
      const { promise, outlook } = await this.app.client.call('getPromise', { promiseId: this.#id });
      this.#begin(promise, outlook);
      if (this.mine?.membership === 'ACCEPTED') this.#follow();
    } catch (error) {
      if (!error.code?.startsWith('client.')) this.root.replaceChildren(h('p.empty', {}, explain(error)));
    }
  }

  /** Answers the invitation. */
  respond(accept, button) {
    return this.app.run(button, async () => {
      await this.app.client.call('respond', { promiseId: this.#id, accept });
      if (!accept) this.app.go();
      else await this.online();
    });
  }

  /** Processes an event of the user's own; those of the promise arrive by its feed. */
  event(event) {
    if (event.outlookReady) this.#surroundings?.event(event);
    this.#wasThere?.event(event);
  }

  #begin(promise, outlook) {
    this.meetup.reset(promise);
    this.#sharing = new SharingPart(this);
    this.#surroundings = new SurroundingsPart(this);
    this.#surroundings.show(outlook);
    this.#wasThere = new WasTherePart(this);
    this.#course = new CarriedCoursePart(this);
    // People first: their positions are the purpose of the view.
    this.compose(new InvitationPart(this), this.#sharing, new ResultPart(this), this.#wasThere, new StandingPart(this), this.#surroundings, this.#course,
      new TimelinePart(this), new LinkPart(this), new ManagePart(this));
    this.draw();
  }

  #follow() {
    this.#feed = this.app.client.follow(this.#id, {
      onSnapshot: (promise, epoch) => {
        this.meetup.reset(promise);
        this.#course.refresh();
        this.draw();
        this.#loadHistory(epoch);
      },
      onEvent: (event) => this.#apply(event),
      onResume: () => this.#refresh(),
      onSlot: (nextReportMs) => this.#sharing.follow(nextReportMs),
      onEnd: (error) => this.#ended(error),
    });
  }

  /** Loads the events before this page was opened, for the time line, and the result, if there is one. */
  async #loadHistory(epoch) {
    try {
      const { missed = [] } = await this.app.client.call('subscribe', { promiseId: this.#id, epoch, lastSeq: 0 });
      this.meetup.addHistory(missed);
      if (this.meetup.promise.status === 'FINAL' && !this.meetup.result) {
        this.meetup.result = await this.app.client.call('getResult', { promiseId: this.#id });
      }
    } catch (error) {
      // Without earlier events the time line begins now.
      this.app.fail(error);
    }
    this.draw();
  }

  /** Refreshes after a cut connection: people who paused meanwhile must disappear from the map. */
  async #refresh() {
    try {
      const { promise, outlook } = await this.app.client.call('getPromise', { promiseId: this.#id });
      this.meetup.refresh(promise);
      this.#surroundings.show(outlook);
      this.#course.refresh();
      this.draw();
    } catch (error) {
      // After another cut the next connection resumes again.
      this.app.fail(error);
    }
  }

  #ended(error) {
    this.#feed = null;
    this.app.sharing.forget(this.#id);
    if (this.status === 'FINAL' || this.status === 'CANCELLED') return;
    this.root.replaceChildren(h('p.empty', {}, error.code === 'promise.not-found' ? t('not-in') : explain(error)));
  }

  #apply(event) {
    const name = this.meetup.apply(event);
    this.#sharing.event(event);
    this.#surroundings.event(event);
    if (name === 'positions') return this.drawPositions();
    if (name === 'nudged' && event.nudged.userId === this.me) {
      this.app.say(t('nudged-you', { name: this.meetup.nickname(event.nudged.from) }), { isUrgent: true });
    }
    if (event.seq) this.app.announce(sentence(this.meetup, { kind: name, content: event[name] ?? {} }));
    this.draw();
    return undefined;
  }
}

/** Asks an invited user for an answer. */
class InvitationPart {
  #view;

  constructor(view) {
    this.#view = view;
    this.root = h('div.answers', { hidden: true }, h('p', {}, t('invited-hint')), h('div.buttons', {},
      small(t('accept'), (button) => view.respond(true, button), { kind: 'primary' }),
      small(t('decline'), (button) => view.respond(false, button))));
  }

  draw() {
    const { mine, status } = this.#view;
    show(this.root, mine?.membership === 'INVITED' && !['FINAL', 'CANCELLED'].includes(status));
  }
}
