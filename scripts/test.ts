/**
 * `test.ts [PART...] [-- PATH|NAME...]` prepares and runs parts of the test suite; all but `gpu` by default. A PATH is
 * that of a test file or a folder, a NAME a part of a test's name, such as that of a fixture.
 */
import { build } from './build.ts';
import { packageExtension } from './package.ts';
import { ensureDebugger, ensurePython } from './python.ts';
import { run } from './run.ts';
import { runTests } from './runTests.ts';
import { CHROMIUM, ensureSystemPackages } from './systemPackages.ts';
import { needsBundles, PART_NAMES, type PartName } from './testParts.ts';
import { installWorkbench, workbenchRequirements } from './workbench.ts';

const args = process.argv.slice(2);
const filters = args.filter((word) => !isPart(word) && word !== '--');
const namedParts = args.filter(isPart);
/** The GPU tests take minutes on a machine with a GPU, and would skip themselves elsewhere. */
const defaultParts = PART_NAMES.filter((name) => name !== 'gpu');
const parts = namedParts.length > 0 ? namedParts : defaultParts;

function isPart(word: string): word is PartName {
  return PART_NAMES.some((name) => name === word);
}

await run(async () => {
  // One after another: each may call apt. If packages must be installed by hand, one message lists all of them.
  if (parts.includes('editor'))
    await ensureSystemPackages([CHROMIUM, ...(await workbenchRequirements())], 'the editor tests');
  if (namedParts.length === 0 || parts.includes('proof')) await ensurePython();
  if (parts.includes('editor')) {
    await installWorkbench();
    await ensureDebugger();
  }
  if (parts.includes('editor') || parts.includes('install')) await packageExtension();
  else if (parts.some(needsBundles)) await build();
  await runTests(parts, filters);
});
