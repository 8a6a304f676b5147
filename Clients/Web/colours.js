/** Dark enough for white letters on them (4.5 : 1 and more), and distinguishable on a light and on a dark ground. */
const COLOURS = ['#b3261e', '#6b46c1', '#00695c', '#8a4300', '#1a5fb4', '#9c2168', '#38661a', '#5d4037', '#3a4a9f', '#00607a'];

/** The colours of the people who are watched together. */
const given = new Map();

/**
 * Gives people who are watched together distinct colours, as far as there are enough: each has their usual colour
 * unless an earlier person has it. The order of ids decides, so all devices agree.
 */
export function tellApart(userIds) {
  for (const id of [...userIds].sort()) {
    if (given.has(id)) continue;
    const taken = new Set(given.values());
    const own = COLOURS.indexOf(usual(id));
    const inTurn = COLOURS.map((_, step) => COLOURS[(own + step) % COLOURS.length]);
    given.set(id, inTurn.find((colour) => !taken.has(colour)) ?? usual(id));
  }
}

/** Restores the usual colours after people were watched together. */
export function forgetColours() {
  given.clear();
}

/** A user's colour. */
export const colourOf = (userId = '') => given.get(userId) ?? usual(userId);

function usual(userId) {
  let sum = 0;
  for (const letter of userId) sum = (sum * 31 + letter.codePointAt(0)) % 65_521;
  return COLOURS[sum % COLOURS.length];
}

/** The letters on a user's marker: the first two of the nickname. */
export function initials(nickname = '') {
  const letters = [...nickname];
  const isWide = letters[0] && letters[0].codePointAt(0) > 0x1100;
  return letters.slice(0, isWide ? 1 : 2).join('').toUpperCase() || '–';
}
