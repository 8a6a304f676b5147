import { PromisedError } from '/assets/promised.js';
import { fromBase64, toBase64 } from '/assets/client/bytes.js';

/** A client whose server takes one upload and has one file; its connection can be cut at a chunk or a read. */
export class FakeFiles extends EventTarget {
  state = 'online';
  begun = [];
  chunks = [];
  reads = 0;
  content = new Uint8Array(0);
  claimed = null;
  /** `{chunk, isAnswerLost}` or `{read}`: the connection ends there, before or after the server took it. */
  cutAt = null;
  mismatches = 0;
  /** Thrown by the next request. */
  refusal = null;
  /** How many requests are answered at once; each further one is refused the first time. */
  burst = Infinity;
  /** How many requests were refused for the rate. */
  refused = 0;
  mostUnanswered = 0;
  #unanswered = 0;
  #tellCut;
  cut = new Promise((resolve) => (this.#tellCut = resolve));

  setState(state) {
    this.state = state;
    this.dispatchEvent(new CustomEvent('state', { detail: state }));
  }

  async call(name, fields) {
    if (this.state !== 'online') throw new PromisedError('client.offline');
    if (this.refusal) {
      const error = this.refusal;
      this.refusal = null;
      throw error;
    }
    this.burst -= 1;
    if (this.burst < 0 && this.burst % 2 !== 0) {
      this.refused += 1;
      throw new PromisedError('limit.rate', { retry: 'LATER', retryAfterMs: 1 });
    }
    this.#unanswered += 1;
    this.mostUnanswered = Math.max(this.mostUnanswered, this.#unanswered);
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#unanswered -= 1;
    return this[name](fields);
  }

  beginUpload(fields) {
    if (!this.begun.some(({ key }) => key === fields.key)) this.content = new Uint8Array(0);
    this.begun.push(fields);
    return this.#upload();
  }

  putChunk({ offset = 0, data }) {
    if (this.#isCut('chunk', this.chunks.length) && !this.cutAt.isAnswerLost) this.#cutNow();
    if (offset !== this.content.length) throw new PromisedError('request.invalid', { field: 'offset' });
    const chunk = fromBase64(data);
    this.chunks.push(chunk);
    this.content = joined(this.content, chunk);
    if (this.#isCut('chunk', this.chunks.length - 1)) this.#cutNow();
    if (this.#isWhole && this.mismatches > 0) {
      this.mismatches -= 1;
      this.content = new Uint8Array(0);
      throw new PromisedError('file.mismatch');
    }
    return this.#upload();
  }

  readFile({ offset = 0 }) {
    this.reads += 1;
    if (this.#isCut('read', this.reads - 1)) this.#cutNow();
    const data = toBase64(this.content.slice(offset, offset + 131_072));
    return { fileId: 'f', offset, data, bytes: this.claimed ?? this.content.length, contentType: 'image/jpeg' };
  }

  get #isWhole() {
    return this.content.length === this.begun.at(-1).bytes;
  }

  #upload() {
    const upload = { uploadId: 'u', ...(this.content.length && { offset: this.content.length }), chunkBytes: 45_000 };
    return this.#isWhole ? { ...upload, file: { fileId: 'f', bytes: this.content.length } } : upload;
  }

  #isCut(kind, number) {
    return this.cutAt?.[kind] === number;
  }

  #cutNow() {
    this.cutAt = null;
    this.setState('waiting');
    this.#tellCut();
    throw new PromisedError('client.disconnected');
  }
}

function joined(one, other) {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
