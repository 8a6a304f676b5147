import { Calls } from './calls.js';
import { faultOf } from './socket.js';

/**
 * After this silence a connection is checked, and closed if no answer arrives in time. One that does not open within
 * the same time is closed, too: browsers wait for minutes.
 */
const QUIET_MS = 25_000;
const PATIENCE_MS = 10_000;
const PULSE_MS = 5000;
/** The timeout of an answer if the network is probably gone. */
const CHECK_MS = 3000;

/**
 * The life of one WebSocket: requests with their replies, events, and a heartbeat that detects a lost peer, which the
 * browser itself would not report for minutes.
 */
export class Connection {
  #socket;
  #listener;
  #calls = new Calls();
  #pulse = null;
  #isOpen = false;
  #heardAt = performance.now();
  #askedAt = 0;
  #checking = null;
  #isOver = false;

  /**
   * @param {WebSocket} socket
   * @param {object} listener
   * @param {() => void} listener.onOpen requests can be sent
   * @param {(event: object) => void} listener.onEvent
   * @param {(error: PromisedError) => void} [listener.onTrouble] an error that belongs to no pending request
   * @param {(code: number, fault: {message: string, field: string}|null) => void} listener.onEnd it has ended by
   *   itself; the last call. The fault is that of a frame that the server could not decode
   * @param {() => Promise<unknown>} listener.askForLife sends a request; any answer is a sign of life
   * @param {() => void} [listener.onPulse] every five seconds while it is open
   */
  constructor(socket, listener) {
    this.#socket = socket;
    this.#listener = listener;
    socket.addEventListener('open', () => this.#opened());
    socket.addEventListener('message', ({ data }) => this.#take(data));
    socket.addEventListener('close', ({ code, reason }) => this.#end(code, faultOf(code, reason)));
    this.#pulse = setInterval(() => this.#beat(), PULSE_MS);
  }

  /** `true` if it has ended, or was left. */
  get isOver() {
    return this.#isOver;
  }

  /** Sends a request. @returns {Promise<object>} the content of the reply */
  ask(name, fields = {}) {
    const { text, reply } = this.#calls.make(name, fields);
    this.#socket.send(text);
    return reply;
  }

  /** Sends a request without a reply. */
  tell(name, fields = {}) {
    this.#socket.send(JSON.stringify({ [name]: fields }));
  }

  /** Checks the connection now, because the network may be gone; closes it without an answer in time. */
  check(patienceMs = CHECK_MS) {
    if (!this.#isOpen || this.#isOver || this.#checking !== null) return;
    this.#checking = setTimeout(() => this.#giveUp(), patienceMs);
    // A refusal is a sign of life as well.
    this.#listener.askForLife().catch(() => undefined).finally(() => {
      clearTimeout(this.#checking);
      this.#checking = null;
    });
  }

  /** Closes it as if it had failed: the listener is notified of the end. */
  fail() {
    this.#socket.close();
  }

  /** Closes it without notifying the listener. */
  leave() {
    this.#stop();
    this.#socket.close();
  }

  #opened() {
    if (this.#isOver) return;
    this.#isOpen = true;
    this.#heard();
    this.#listener.onOpen();
  }

  #take(text) {
    if (this.#isOver) return;
    this.#heard();
    const frame = JSON.parse(text);
    if (frame.event) {
      this.#listener.onEvent(frame.event);
      return;
    }
    const error = this.#calls.take(frame);
    if (error) this.#listener.onTrouble?.(error);
  }

  #end(code, fault = null) {
    if (this.#isOver) return;
    this.#stop(fault);
    this.#listener.onEnd(code, fault);
  }

  #stop(fault) {
    this.#isOver = true;
    clearInterval(this.#pulse);
    clearTimeout(this.#checking);
    this.#calls.end(fault);
  }

  #heard() {
    this.#heardAt = performance.now();
    this.#askedAt = 0;
  }

  #giveUp() {
    // The browser would wait much longer for the other side's close frame.
    this.#socket.close();
    this.#end(1006);
  }

  #beat() {
    const now = performance.now();
    const isGone = this.#isOpen
      ? this.#askedAt && now - this.#askedAt > PATIENCE_MS
      : now - this.#heardAt > QUIET_MS;
    if (isGone) {
      this.#giveUp();
      return;
    }
    if (!this.#isOpen) return;
    if (!this.#askedAt && now - this.#heardAt > QUIET_MS) {
      this.#askedAt = now;
      // A refusal is a sign of life as well.
      this.#listener.askForLife().catch(() => undefined);
    }
    this.#listener.onPulse?.();
  }
}
