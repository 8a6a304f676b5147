/** The screen of each view, by its name in notifications. */
const SCREENS = { '': 'HOME', friends: 'HOME', places: 'PLACES', place: 'PLACES', new: 'WRITING', promise: 'MEETUP',
  courses: 'COURSE', course: 'COURSE', record: 'RECORDING' };

/**
 * The server drops a focus after two minutes of its clock without a frame: it is sent again every minute of that clock.
 */
const AGAIN_MS = 60_000;

/** Reports the visible screen of this connection, so that the server omits notifications about it. */
export class Focus {
  #client;
  #path = [];
  #told = '';
  #again = 0;

  /** @param {PromisedClient} client */
  constructor(client) {
    this.#client = client;
    client.addEventListener('state', ({ detail }) => detail === 'online' && this.#tell({ isNew: true }));
    document.addEventListener('visibilitychange', () => this.#tell());
  }

  /** Reports another view. @param {string[]} path the parts of the route */
  show(path) {
    this.#path = path;
    this.#tell();
  }

  /** @param {{isNew?: boolean}} connection a new connection has no focus, and an old one may have lost it */
  #tell({ isNew = false } = {}) {
    const focus = focusOf(this.#path, !document.hidden);
    const text = JSON.stringify(focus);
    if (this.#client.state !== 'online' || (!isNew && text === this.#told)) return;
    this.#told = text;
    clearTimeout(this.#again);
    if (focus.active) this.#again = setTimeout(() => this.#tell({ isNew: true }), this.#client.clock.real(AGAIN_MS));
    // Without it the server sends needless notifications; the next view tries again.
    this.#client.call('setFocus', focus).catch(() => (this.#told = ''));
  }
}

/** The focus of a route. @returns {{screen: string, promiseId?: string, active: boolean}} */
export function focusOf([first = '', id, more], active) {
  if ((first === 'visit' && more === 'edit') || (first === 'course' && more === 'waypoints') || (first === 'visits' && id === 'new')) return { screen: 'WRITING', active };
  if (first === 'promise' && more === 'edit') return { screen: 'WRITING', promiseId: id, active };
  const screen = SCREENS[first] ?? 'OTHER';
  return { screen, ...(screen === 'MEETUP' && id && { promiseId: id }), active };
}
