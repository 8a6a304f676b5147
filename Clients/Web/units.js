/** The choices of units; the first is the default. */
export const UNITS = ['metric', 'imperial'];
/** Where this browser stores the units that the user chose. */
const CHOSEN = 'promised.units';

/** The units of distances, heights, speeds and weather on this page: one of {@link UNITS}. */
export const units = UNITS.find((one) => one === localStorage.getItem(CHOSEN)) ?? UNITS[0];
export const isImperial = units === 'imperial';

/** Stores the user's choice for the next load of the page. */
export const chooseUnits = (chosen) => localStorage.setItem(CHOSEN, chosen);

const METRES_PER_FOOT = 0.3048;
const METRES_PER_MILE = 1609.344;
export const feet = (metres) => metres / METRES_PER_FOOT;
export const miles = (metres) => metres / METRES_PER_MILE;
