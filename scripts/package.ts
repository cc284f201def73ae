/** Packs the extension into `gpu-doctor.vsix`. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { createVSIX } from '@vscode/vsce';
import { build } from './build.ts';
import { root } from './root.ts';
import { run } from './run.ts';

/** Builds and packs; returns the path of the VSIX. */
export async function packageExtension(): Promise<string> {
  await build();
  const packagePath = path.join(root, 'gpu-doctor.vsix');
  // Everything is bundled, so no package is taken along.
  await createVSIX({ cwd: root, packagePath, dependencies: false });
  const { size } = await stat(packagePath);
  console.log(`gpu-doctor.vsix is ${(size / 1000).toFixed(0)} kB.`);
  return packagePath;
}

if (import.meta.main) await run(packageExtension);
