/**
 * How much damaged input there is, and which. `npm test` takes a tenth of what the tests name, the same each time;
 * `npm run test:long` takes five times as much as they name, by another seed each time.
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 1);
export const SCALE = Number(process.env.FUZZ_SCALE ?? 0.1);

/** That many inputs, of a number of them. */
export function share(inputs: number): number {
  return Math.round(inputs * SCALE);
}
