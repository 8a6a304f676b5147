/** The number of unread notifications, kept up to date by the server's events. Event `change`. */
export class Inbox extends EventTarget {
  #client;
  #unread = 0;

  /** @param {PromisedClient} client */
  constructor(client) {
    super();
    this.#client = client;
    client.addEventListener('welcome', ({ detail }) => this.set(detail.unread?.notifications ?? 0));
    client.addEventListener('event', ({ detail }) => {
      const { notification } = detail.notification ?? {};
      if (notification && !notification.read) this.#count();
    });
  }

  get unread() {
    return this.#unread;
  }

  /** Sets the number from the server, or after the user read some. */
  set(unread) {
    if (unread === this.#unread) return;
    this.#unread = Math.max(0, unread);
    this.dispatchEvent(new Event('change'));
  }

  /** Requests the number: a postponed notification was counted before its announcement. */
  async #count() {
    try {
      const { unread = 0 } = await this.#client.call('listNotifications', { limit: 1 });
      this.set(unread);
    } catch {
      // The next connection begins with the number.
    }
  }
}

/** The route of a notification's subject: its parts; null for none. */
export function routeOf({ kind, screen, promiseId, visitId, courseId, recordingId, user }) {
  if (visitId) return ['visit', visitId];
  if (courseId) return ['course', courseId];
  if (recordingId) return ['record'];
  if (kind === 'EXPORT_READY') return ['me'];
  if (promiseId) return ['promise', promiseId];
  if (kind === 'FRIEND_REQUESTED' && user) return ['friends'];
  return screen === 'HOME' ? [''] : screen === 'PLACES' ? ['places'] : null;
}
