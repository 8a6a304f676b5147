/** A small test runner for the browser: collects tests, runs them one after the other, and keeps the outcome. */
const tests = [];

/** Adds a test, named by a sentence. */
export function test(name, body) {
  tests.push({ name, body });
}

/** Fails unless two values are equal as JSON. */
export function equal(actual, expected) {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one !== other) throw new Error(`is ${one}, should be ${other}`);
}

/** Fails unless something holds. */
export function expect(holds, what) {
  if (!holds) throw new Error(`does not hold: ${what}`);
}

/** Waits for a rejection and gives its error. */
export async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Lets everything that can go on go on. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

/** Waits until something holds that the browser does in its own time, such as giving a lock. */
export async function until(condition) {
  for (let attempt = 0; !condition(); attempt += 1) {
    if (attempt > 2000) throw new Error(`never holds: ${condition}`);
    await settle();
  }
}

/** Runs all tests. @returns {Promise<string[]>} a line for each that failed, `ok` lines for the others */
export async function run() {
  const lines = [];
  for (const { name, body } of tests) {
    try {
      await body();
      lines.push(`ok ${name}`);
    } catch (error) {
      lines.push(`not ok ${name}: ${error.message ?? JSON.stringify(error)}\n${error.stack ?? ''}`);
    }
  }
  return lines;
}
