/**
 * People without a page, for the tests: each a client of promised.js of its own. Runs in a page of the server, so that
 * it uses the very modules that are tested; the driver calls it through `globalThis.robots`.
 */
const { PromisedClient, randomName } = await import('/assets/promised.js');

class Robot {
  constructor(nickname) {
    this.nickname = nickname;
    this.client = new PromisedClient({ storage: null, tabStorage: null, strict: true });
    this.seq = 0;
  }

  async signUp() {
    // Nicknames may be Korean, addresses may not.
    await this.client.signUp(`${randomName()}@robots.example`, 'correct horse battery', this.nickname);
    this.id = this.client.user.userId;
  }

  call(name, fields) {
    return this.client.call(name, fields);
  }

  /** Reports one position, now. */
  report(promiseId, latitude, longitude) {
    const { clock } = this.client;
    const fix = { seq: ++this.seq, latitude, longitude, accuracyMetres: 8, uptimeMs: clock.uptime() };
    return this.client.call('report', { promiseId, fixes: [fix], uptimeMs: clock.uptime() });
  }

  /** Waits until the server's clock and its rate are known. */
  async clockIsKnown() {
    while (!this.client.clock.isKnown) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const all = new Map();

globalThis.robots = {
  /** Signs up people. @returns their ids by nickname */
  async make(...nicknames) {
    const made = nicknames.map((nickname) => new Robot(nickname));
    for (const robot of made) {
      await robot.signUp();
      all.set(robot.nickname, robot);
    }
    await Promise.all(made.map((robot) => robot.clockIsKnown()));
    return Object.fromEntries(made.map((robot) => [robot.nickname, robot.id]));
  },

  /** Makes a request in somebody's name. */
  call: (nickname, name, fields) => all.get(nickname).call(name, fields),

  report: (nickname, promiseId, latitude, longitude) => all.get(nickname).report(promiseId, latitude, longitude),

  /** Makes a promise of somebody, `ahead` milliseconds of the server's clock from now. @returns the promise */
  async promise(nickname, ahead, fields) {
    const { client } = all.get(nickname);
    const meetsAt = new Date(client.clock.now() + ahead).toISOString();
    const place = { name: 'Town hall', latitude: 37.5663, longitude: 126.9779 };
    const request = { key: randomName(), title: 'Dinner', place, meetsAt, ...fields };
    return (await client.call('createPromise', request)).promise;
  },

  /** Makes everybody walk towards the place at `metresPerSecond`, reporting every `intervalMs`, until `stop` is called. */
  walk(promiseId, { latitude, longitude }, intervalMs, metresPerSecond) {
    const walkers = [...all.values()].map((robot, index) => ({ robot, angle: index * 2.4, metres: 500 + 37 * index }));
    const step = () => {
      for (const walker of walkers) {
        walker.metres = Math.max(80, walker.metres - (metresPerSecond * intervalMs) / 1000);
        walker.angle += 0.004;
        const north = (walker.metres * Math.cos(walker.angle)) / 111_320;
        const east = (walker.metres * Math.sin(walker.angle)) / (111_320 * Math.cos((latitude * Math.PI) / 180));
        walker.robot.report(promiseId, latitude + north, longitude + east).catch(() => undefined);
      }
    };
    const timer = setInterval(step, intervalMs);
    this.stop = () => clearInterval(timer);
  },
};
