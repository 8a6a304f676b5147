import { Notifications } from '/assets/promised.js';
import { equal, test } from './harness.js';

const announce = (id) => ({ at: '2026-11-20T18:00:00Z', notification: { notification: { notificationId: id } } });

/** Reads as many as are asked for. */
async function ids(notifications, count) {
  const read = [];
  if (count === 0) return read;
  for await (const { notificationId } of notifications) {
    read.push(notificationId);
    if (read.length === count) break;
  }
  return read;
}

test('delivers notifications in order, and no other events', async () => {
  const notifications = new Notifications(() => undefined);
  notifications.take(announce('n1'));
  notifications.take({ friendRequested: {} });
  notifications.take(announce('n2'));
  equal(await ids(notifications, 2), ['n1', 'n2']);
});

test('a reader that waits gets the next one', async () => {
  const notifications = new Notifications(() => undefined);
  const reading = ids(notifications, 1);
  notifications.take(announce('n1'));
  equal(await reading, ['n1']);
});

test('buffers the newest two hundred', async () => {
  const notifications = new Notifications(() => undefined);
  for (let number = 0; number <= 200; number += 1) notifications.take(announce(`n${number}`));
  const read = await ids(notifications, 200);
  equal([read.length, read[0], read[199]], [200, 'n1', 'n200']);
});

test('leaving the loop ends the reading once', async () => {
  let ends = 0;
  const notifications = new Notifications(() => {
    ends += 1;
  });
  notifications.take(announce('n1'));
  await ids(notifications, 1);
  await notifications.return();
  notifications.take(announce('n2'));
  equal([ends, (await notifications.next()).done], [1, true]);
});

test('a waiting reader receives the end', async () => {
  const notifications = new Notifications(() => undefined);
  const next = notifications.next();
  await notifications.return();
  equal((await next).done, true);
});
