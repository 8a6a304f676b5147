/** A WebSocket whose other end is the test. */
export class FakeSocket extends EventTarget {
  sent = [];
  isClosed = false;

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close(code = 1000, reason = '') {
    if (this.isClosed) return;
    this.isClosed = true;
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
  }

  /** The connection is there. */
  open() {
    this.dispatchEvent(new Event('open'));
  }

  /** The server sends a frame. */
  receive(frame) {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(frame) }));
  }

  /** The newest request of a name. */
  last(name) {
    return this.sent.findLast((frame) => name in frame);
  }

  /** Answers the newest request of a name. */
  answer(name, content) {
    this.receive({ id: this.last(name).id, ...content });
  }
}

/** A `Storage` of its own. */
export class FakeStorage {
  #values = new Map();
  getItem = (key) => this.#values.get(key) ?? null;
  setItem = (key, value) => this.#values.set(key, value);
  removeItem = (key) => this.#values.delete(key);
}

export const SESSION = {
  accessToken: 'access', refreshToken: 'refresh', accessExpiresAt: '2099-01-01T00:00:00Z',
  user: { userId: 'a', nickname: 'Ada' },
};
