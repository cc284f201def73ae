/** The size of a benchmark: `TINY=1` only shows that it runs, as `benches.test.ts` does. */
const isTiny = process.env.TINY === '1';

/** Returns a number of rounds, lines or files: the first to measure, the second to run at all. */
export const sized = <T>(full: T, tiny: T): T => (isTiny ? tiny : full);
