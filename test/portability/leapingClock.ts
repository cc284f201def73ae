/** Loaded with `--import`: makes the clock jump by up to two years, forward and back, at every reading. */
const now = Date.now;
const YEAR = 365 * 24 * 60 * 60 * 1000;
let state = 1;

Date.now = () => {
  // A linear congruential generator, so that each run jumps in the same way.
  state = (state * 1103515245 + 12345) % 2 ** 31;
  return Math.round(now() + (state / 2 ** 31 - 0.5) * 4 * YEAR);
};
