/** Makes ready what the tests need, builds everything and runs every test. */
import { spawnSync } from 'node:child_process';
import { packageExtension } from './package.ts';
import { ensurePython } from './python.ts';
import { root } from './root.ts';
import { run } from './run.ts';
import { CHROMIUM, ensureSystemPackages } from './systemPackages.ts';
import { installWorkbench } from './workbench.ts';

await run(async () => {
  await ensureSystemPackages([CHROMIUM], 'the editor tests');
  // One after the other: both may ask apt for packages.
  await ensurePython();
  await installWorkbench();
  await packageExtension();
  // Its summary is the last thing that is printed.
  const { status } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', 'test/**/*.test.ts'], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
});
