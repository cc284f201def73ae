/** What takes too long for each change: more damaged input than `npm test` has, by another seed, every file for the parser, and
 * the installation from Git. */
import { build } from './build.ts';
import { ensurePython } from './python.ts';
import { run } from './run.ts';
import { runTests } from './testParts.ts';

await run(async () => {
  await ensurePython();
  await build();
  process.env.FUZZ_SEED ??= String(Date.now() % 1_000_000);
  process.env.FUZZ_SCALE ??= '5';
  process.env.GPU_DOCTOR_LONG = '1';
  console.log(`FUZZ_SEED=${process.env.FUZZ_SEED} FUZZ_SCALE=${process.env.FUZZ_SCALE} says the same again.`);
  await runTests(['fuzz']);
  await runTests(['install'], ['as a Git dependency']);
  await runTests(['proof'], ['test/proof/syntaxTrees.test.ts']);
});
