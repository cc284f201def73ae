/**
 * Tests that are too slow for each change: more damaged input than `npm test` with another seed, every file for the
 * parser, and the installation from Git.
 */
import { execa } from 'execa';
import { build } from './build.ts';
import { ensurePython } from './python.ts';
import { run } from './run.ts';
import { runTests } from './runTests.ts';
import type { PartName } from './testParts.ts';

/** Test parts, each with the files or tests that are slow. */
const PARTS: readonly [PartName, ...string[]][] = [
  ['fuzz'],
  ['install', 'as a Git dependency'],
  ['proof', 'test/proof/syntaxTrees.test.ts'],
];

await run(async () => {
  await ensurePython();
  await build();
  process.env.FUZZ_SEED ??= String(Date.now() % 1_000_000);
  process.env.FUZZ_SCALE ??= '5';
  process.env.GPU_DOCTOR_LONG = '1';
  console.log(`To repeat this run: FUZZ_SEED=${process.env.FUZZ_SEED} FUZZ_SCALE=${process.env.FUZZ_SCALE}`);
  const failed: string[] = [];
  for (const [part, ...filters] of PARTS)
    await runTests([part], filters).catch((error: Error) => failed.push(error.message));
  // It needs uv and PyPI, makes 40 environments in the folder for temporary files, and has its own closing line.
  await execa(process.execPath, ['test/broken/run.ts'], { stdio: 'inherit' }).catch((error: Error) =>
    failed.push(error.message),
  );
  if (failed.length > 0) throw new Error(failed.join('\n'));
});
