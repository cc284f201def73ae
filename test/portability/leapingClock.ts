/** Loaded with `--import`, it has the clock leap by up to two years, forward and back, whenever somebody looks at it. */
const now = Date.now;
const YEAR = 365 * 24 * 60 * 60 * 1000;
let state = 1;

Date.now = () => {
  // A linear congruential generator, so that each run leaps in the same way.
  state = (state * 1103515245 + 12345) % 2 ** 31;
  return Math.round(now() + (state / 2 ** 31 - 0.5) * 4 * YEAR);
};
