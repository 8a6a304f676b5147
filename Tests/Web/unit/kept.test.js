import { KeptFiles } from '/assets/keptfiles.js';
import { equal, rejection, test } from './harness.js';

/** A `CacheStorage` in memory. */
function storage() {
  const all = new Map();
  const store = {
    match: async (key) => all.get(key)?.clone(), put: async (key, response) => all.set(key, response),
    keys: async () => [...all.keys()], delete: async (key) => all.delete(key),
  };
  return { all, open: async () => store, delete: async () => all.clear() };
}

/** A client that counts what it is asked. */
function client({ state = 'online', refusal = null } = {}) {
  const asked = [];
  return {
    asked, state,
    readFile: async (fileId) => {
      asked.push(`read ${fileId}`);
      return new Blob([fileId]);
    },
    checkFile: async (fileId) => {
      asked.push(`check ${fileId}`);
      if (refusal) throw Object.assign(new Error(refusal), { code: refusal });
    },
  };
}

test('a picture is read once, and then checked by a byte', async () => {
  const [one, store] = [client(), storage()];
  for (let turn = 0; turn < 3; turn += 1) equal(await (await new KeptFiles(one, store).read('f1')).text(), 'f1');
  equal(one.asked, ['read f1', 'check f1', 'check f1']);
});

test('a picture that the user may no longer see is deleted', async () => {
  const store = storage();
  await new KeptFiles(client(), store).read('f1');
  const error = await rejection(new KeptFiles(client({ refusal: 'file.not-found' }), store).read('f1'));
  equal([error.code, store.all.size], ['file.not-found', 0]);
});

test('another failure keeps it, and without a connection it is shown', async () => {
  const store = storage();
  await new KeptFiles(client(), store).read('f1');
  equal((await rejection(new KeptFiles(client({ refusal: 'server.unavailable' }), store).read('f1'))).code, 'server.unavailable');
  const offline = client({ state: 'waiting' });
  equal(await (await new KeptFiles(offline, store).read('f1')).text(), 'f1');
  equal(offline.asked, []);
});

test('the newest 300 are kept, and none after a sign-out', async () => {
  const [one, store] = [client(), storage()];
  const kept = new KeptFiles(one, store);
  for (let number = 0; number < 301; number += 1) await kept.read(`f${number}`);
  equal([store.all.size, store.all.has('/kept/f0'), store.all.has('/kept/f300')], [300, false, true]);
  await kept.forget();
  equal(store.all.size, 0);
});

test('without a store, or with one that is denied or full, pictures are read each time', async () => {
  const denied = { open: () => Promise.reject(new Error('denied')), delete: () => Promise.reject(new Error('denied')) };
  const full = { open: async () => ({ match: async () => undefined, put: () => Promise.reject(new Error('full')) }), delete: async () => true };
  for (const store of [null, denied, full]) {
    const one = client();
    const kept = new KeptFiles(one, store);
    for (let turn = 0; turn < 2; turn += 1) await kept.read('f1');
    await kept.forget();
    equal(one.asked, ['read f1', 'read f1']);
  }
});
