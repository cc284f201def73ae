/**
 * `test.ts [PART...] [-- FILE|NAME...]` makes ready what the parts of the test suite need, and runs them; without a part,
 * all of them but `gpu`. A FILE is the path of a test file, a NAME part of a test's name, such as that of a fixture.
 */
import { build } from './build.ts';
import { packageExtension } from './package.ts';
import { ensureDebugger, ensurePython } from './python.ts';
import { run } from './run.ts';
import { runTests } from './runTests.ts';
import { CHROMIUM, ensureSystemPackages } from './systemPackages.ts';
import { PART_NAMES, type PartName } from './testParts.ts';
import { installWorkbench, neededForWorkbench } from './workbench.ts';

const words = process.argv.slice(2);
const asked = words.filter((word) => !isPart(word) && word !== '--');
const named = words.filter(isPart);
/** A machine with a GPU takes minutes for these; others would skip them. */
const usual = PART_NAMES.filter((name) => name !== 'gpu');
const parts = named.length > 0 ? named : usual;

function isPart(word: string): word is PartName {
  return PART_NAMES.some((name) => name === word);
}

await run(async () => {
  // One after the other: each may ask apt for packages. Who has to install them by hand is told of all at once.
  if (parts.includes('editor'))
    await ensureSystemPackages([CHROMIUM, ...(await neededForWorkbench())], 'the editor tests');
  if (named.length === 0 || parts.includes('proof')) await ensurePython();
  if (parts.includes('editor')) {
    await installWorkbench();
    await ensureDebugger();
  }
  if (parts.includes('editor') || parts.includes('install')) await packageExtension();
  else await build();
  await runTests(parts, asked);
});
