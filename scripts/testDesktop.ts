/** Runs `test/desktop/suite.ts` in a desktop VS Code, which is downloaded for it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleSuite, FILES } from '../test/desktop/bundle.ts';
import { build } from './build.ts';
import { root } from './root.ts';
import { run } from './run.ts';

await run(async () => {
  await build();
  const home = await mkdtemp(path.join(tmpdir(), 'gpu-doctor-desktop-'));
  try {
    const folder = path.join(home, 'project');
    await mkdir(folder);
    for (const [file, content] of Object.entries(FILES)) await writeFile(path.join(folder, file), content);
    await runTests({
      extensionDevelopmentPath: root,
      extensionTestsPath: await bundleSuite(path.join(home, 'suite')),
      launchArgs: [
        folder,
        '--disable-extensions',
        '--disable-workspace-trust',
        `--user-data-dir=${path.join(home, 'user')}`,
      ],
    });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 10 });
  }
});
