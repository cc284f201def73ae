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
  // A file whose tests have all ended has ended, even if a child's exit was missed and the process would wait for it.
  const flags = ['--test', '--test-force-exit', '--test-reporter=spec'];
  const { status } = spawnSync(process.execPath, [...flags, 'test/**/*.test.ts'], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
});
