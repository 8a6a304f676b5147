import { Downloader, FileURLs, PromisedError, Uploader, preparedPhoto } from '/assets/promised.js';
import { fromBase64, toBase64 } from '/assets/client/bytes.js';
import { Lane } from '/assets/client/lane.js';
import { fitted } from '/assets/client/photo.js';
import { FakeFiles } from './fakefiles.js';
import { equal, expect, rejection, settle, test } from './harness.js';

const bytes = (count) => Uint8Array.from({ length: count }, (_, index) => (index * 31 + (index >> 8)) % 256);
const same = async (blob, other) => equal(toBase64(new Uint8Array(await blob.arrayBuffer())), toBase64(other));

test('decodes Base64 of any length', () => {
  for (const count of [0, 1, 2, 3, 0x8000, 45_000]) equal([...fromBase64(toBase64(bytes(count)))], [...bytes(count)]);
});

test('a lane runs up to its width at once, in order, and continues after a failure', async () => {
  const [ends, begun] = [[], []];
  const lane = new Lane(2);
  const works = ['a', 'b', 'c', 'd'].map((name) => lane.run(() => {
    begun.push(name);
    return new Promise((resolve, reject) => ends.push(name === 'a' ? reject : resolve));
  }));
  await settle();
  equal(begun, ['a', 'b']);
  ends[0](new Error('a'));
  await rejection(works[0]);
  await settle();
  equal(begun, ['a', 'b', 'c']);
  ends[1]();
  ends[2]();
  await settle();
  equal(begun, ['a', 'b', 'c', 'd']);
});

for (const count of [1, 44_999, 45_000, 45_001, 100_000]) {
  test(`an upload of ${count} bytes arrives completely, with at most one chunk unanswered`, async () => {
    const files = new FakeFiles();
    const told = [];
    const file = await new Uploader(files).upload(new Blob([bytes(count)]), { kind: 'PHOTO', key: 'k', onProgress: (sent) => told.push(sent) });
    equal([file.bytes, files.mostUnanswered, files.chunks.length], [count, 1, Math.ceil(count / 45_000)]);
    expect(files.chunks.every(({ length }) => length <= 45_000), 'chunks fit');
    equal([told[0], told.at(-1)], [0, count]);
    equal([...files.content], [...bytes(count)]);
  });
}

test('an upload cut at any chunk resumes at the server’s offset', async () => {
  for (let cut = 0; cut < 4; cut += 1) {
    for (const isAnswerLost of [false, true]) {
      const files = new FakeFiles();
      files.cutAt = { chunk: cut, isAnswerLost };
      const uploading = new Uploader(files).upload(new Blob([bytes(150_000)]), { kind: 'TRACK' });
      await files.cut;
      files.setState('online');
      await uploading;
      equal([...files.content], [...bytes(150_000)]);
      equal([new Set(files.begun.map(({ key }) => key)).size, files.begun.length, files.chunks.length], [1, 2, 4]);
    }
  }
});

test('a wrong digest restarts the upload once', async () => {
  const files = new FakeFiles();
  files.mismatches = 1;
  await new Uploader(files).upload(new Blob([bytes(50_000)]), { kind: 'PHOTO' });
  equal([files.begun.length, files.chunks.length], [2, 4]);
  files.mismatches = 2;
  const error = await rejection(new Uploader(files).upload(new Blob([bytes(10)]), { kind: 'PHOTO' }));
  equal([error.code, files.begun.length], ['file.mismatch', 4]);
});

for (const [name, sizes] of [['a track of 16 MiB', [16 * 1024 * 1024]], ['three photos of 1 MB', [1_000_000, 1_000_000, 1_000_000]]]) {
  test(`${name} arrives on a link that is faster than the rate`, async () => {
    const files = new FakeFiles();
    files.burst = 40;
    const uploader = new Uploader(files);
    const uploads = sizes.map((size) => uploader.upload(new Blob([bytes(size)]), { kind: 'PHOTO' }));
    equal((await Promise.all(uploads)).map((file) => file.bytes), sizes);
    // Each refusal costs one wait, and the upload is not begun again.
    const chunks = sizes.reduce((sum, size) => sum + Math.ceil(size / 45_000), 0);
    equal([files.begun.length, files.chunks.length, files.refused], [sizes.length, chunks, sizes.length + chunks - 40]);
  });
}

test('ends an upload after twenty consecutive refusals', async () => {
  const files = new FakeFiles();
  let asked = 0;
  files.call = async () => {
    asked += 1;
    throw new PromisedError('limit.rate', { retry: 'LATER', retryAfterMs: 1 });
  };
  equal((await rejection(new Uploader(files).upload(new Blob(['a']), { kind: 'PHOTO' }))).code, 'limit.rate');
  equal(asked, 21);
});

test('reports a refusal at once and starts the next upload', async () => {
  const files = new FakeFiles();
  const uploader = new Uploader(files);
  files.refusal = new PromisedError('file.quota');
  const [first, second] = [uploader.upload(new Blob(['a']), { kind: 'PHOTO' }), uploader.upload(new Blob(['b']), { kind: 'PHOTO' })];
  equal((await rejection(first)).code, 'file.quota');
  equal((await second).bytes, 1);
});

test('a cancelled upload ends while it waits for a connection', async () => {
  const files = new FakeFiles();
  files.setState('waiting');
  const stop = new AbortController();
  const uploading = new Uploader(files).upload(new Blob(['a']), { kind: 'PHOTO', signal: stop.signal });
  await settle();
  stop.abort();
  equal((await rejection(uploading)).name, 'AbortError');
});

test('signing out ends an upload', async () => {
  const files = new FakeFiles();
  files.setState('waiting');
  const uploading = rejection(new Uploader(files).upload(new Blob(['a']), { kind: 'PHOTO' }));
  await settle();
  files.setState('signed-out');
  equal((await uploading).code, 'client.stopped');
});

test('retries when the server asks to wait', async () => {
  const files = new FakeFiles();
  files.refusal = new PromisedError('limit.rate', { retry: 'LATER', retryAfterMs: 1 });
  equal((await new Uploader(files).upload(new Blob(['a']), { kind: 'PHOTO' })).bytes, 1);
});

test('reads a file in pieces, over a cut connection', async () => {
  for (const count of [1, 131_071, 131_072, 131_073, 300_000]) {
    const files = new FakeFiles();
    files.content = bytes(count);
    const blob = await new Downloader(files).read('f');
    await same(blob, bytes(count));
    equal([blob.type, files.reads], ['image/jpeg', Math.ceil(count / 131_072)]);
  }
  const files = new FakeFiles();
  files.content = bytes(300_000);
  files.cutAt = { read: 1 };
  const reading = new Downloader(files).read('f');
  await files.cut;
  files.setState('online');
  await same(await reading, bytes(300_000));
});

test('rejects a file that is shorter than its size', async () => {
  const files = new FakeFiles();
  files.content = bytes(10);
  files.claimed = 11;
  equal((await rejection(new Downloader(files).read('f'))).code, 'file.not-found');
});

test('a URL exists until its last holder releases it', async () => {
  let reads = 0;
  const urls = new FileURLs(async () => {
    reads += 1;
    return new Blob(['text'], { type: 'text/plain' });
  });
  const [one, other] = [urls.hold('f'), urls.hold('f')];
  const url = await one.url;
  equal([url, reads, urls.count], [await other.url, 1, 1]);
  one.release();
  one.release();
  equal(await (await fetch(url)).text(), 'text');
  other.release();
  equal(urls.count, 0);
  expect((await rejection(fetch(url))) instanceof TypeError, 'it is released');
});

test('creates no URL if it is released during the read', async () => {
  let signal = null;
  const urls = new FileURLs((_, given) => {
    signal = given;
    return Promise.resolve(new Blob(['text']));
  });
  const held = urls.hold('f');
  held.release();
  equal([signal.aborted, (await rejection(held.url)).name, urls.count], [true, 'AbortError', 0]);
});

test('the next holder retries an unreadable file', async () => {
  const outcomes = [Promise.reject(new PromisedError('file.not-found')), Promise.resolve(new Blob(['text']))];
  const urls = new FileURLs(() => outcomes.shift());
  const held = urls.hold('f');
  equal((await rejection(held.url)).code, 'file.not-found');
  held.release();
  const again = urls.hold('f');
  expect((await again.url).startsWith('blob:'), 'it has a URL');
  again.release();
  equal(urls.count, 0);
});

test('scales pictures to 2,048 pixels and keeps small ones', () => {
  const sizes = [[4032, 3024], [3024, 4032], [2048, 2048], [2049, 1], [10, 20], [12_000, 1]].map((size) => fitted(...size));
  equal(sizes.map(({ width, height }) => [width, height]), [[2048, 1536], [1536, 2048], [2048, 2048], [2048, 1], [10, 20], [2048, 1]]);
});

/** A JPEG of the browser with an EXIF segment that turns it and names a place. */
async function turned(width, height, orientation) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  context.fillStyle = '#f00';
  context.fillRect(0, 0, width / 2, height / 2);
  const plain = new Uint8Array(await (await new Promise((done) => canvas.toBlob(done, 'image/jpeg', 1))).arrayBuffer());
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
  const content = [...new TextEncoder().encode('Exif\0\0'), ...tiff, ...new TextEncoder().encode('37.5663N')];
  return new Blob([plain.slice(0, 2), Uint8Array.of(0xff, 0xe1, 0, content.length + 2, ...content), plain.slice(2)]);
}

test('scales a photo, turns it upright and removes its metadata', async () => {
  const prepared = await preparedPhoto(await turned(3000, 1500, 6));
  const text = new TextDecoder('latin1').decode(await prepared.arrayBuffer());
  equal([prepared.type, text.includes('Exif'), text.includes('37.5663')], ['image/jpeg', false, false]);
  const picture = await createImageBitmap(prepared);
  equal([picture.width, picture.height], [1024, 2048]);
  const canvas = Object.assign(document.createElement('canvas'), { width: 1024, height: 2048 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  // Turned by 90 degrees clockwise, the corner at the top left is at the top right.
  const isRed = (x, y) => context.getImageData(x, y, 1, 1).data[0] > 200;
  equal([isRed(900, 100), isRed(100, 100), isRed(900, 1900)], [true, false, false]);
});

test('rejects other files than pictures', async () => {
  equal((await rejection(preparedPhoto(new Blob(['GIF89a?'])))).code, 'file.unsupported');
});
