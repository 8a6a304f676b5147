/** The number of unread notifications, kept up to date by the server's events. Event `change`. */
export class Inbox extends EventTarget {
  #unread = 0;

  /** @param {PromisedClient} client */
  constructor(client) {
    super();
    client.addEventListener('welcome', ({ detail }) => this.set(detail.unread?.notifications ?? 0));
    client.addEventListener('event', ({ detail }) => {
      const { notification } = detail.notification ?? {};
      if (notification && !notification.read) this.set(this.#unread + 1);
    });
  }

  get unread() {
    return this.#unread;
  }

  /** The server said how many are unread, or the user read some. */
  set(unread) {
    if (unread === this.#unread) return;
    this.#unread = Math.max(0, unread);
    this.dispatchEvent(new Event('change'));
  }
}

/** Where a notification leads: the parts of a route; null for nowhere. */
export function routeOf({ kind, screen, promiseId, user }) {
  if (promiseId) return ['promise', promiseId];
  if (kind === 'FRIEND_REQUESTED' && user) return ['friends'];
  return screen === 'HOME' ? [''] : screen === 'PLACES' ? ['places'] : null;
}
