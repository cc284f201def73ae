/**
 * The amount and the seed of damaged input. `npm test` uses a tenth of the number in each test, always the same inputs;
 * `npm run test:long` uses five times the number, with a new seed each time.
 */
export const SEED = Number(process.env.FUZZ_SEED ?? 1);
export const SCALE = Number(process.env.FUZZ_SCALE ?? 0.1);

/** The scaled number of inputs. */
export function share(inputs: number): number {
  return Math.round(inputs * SCALE);
}
