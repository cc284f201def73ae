/** Packs the extension into `gpu-doctor.vsix`, and prints the size of the extension and of the npm package. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { build } from './build.ts';
import { isPrerelease } from './releaseNotes.ts';
import { root } from './root.ts';
import { run } from './run.ts';

/** The page shown in VS Code and the stores. The repository's README also addresses contributors. */
const EXTENSION_PAGE = 'EXTENSION.md';

export interface Packed {
  readonly vsix: string;
  /** The packer's output: the list of files. */
  readonly output: string;
}

/** Builds and packs. @throws an error with the packer's output, even if it only warned. */
export async function packageExtension(): Promise<Packed> {
  await build();
  const vsix = path.join(root, 'gpu-doctor.vsix');
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  // Everything is bundled, so no packages are included. Stores learn from the file whether it is a pre-release.
  const options = ['--no-dependencies', '--out', vsix, '--readme-path', EXTENSION_PAGE];
  if (isPrerelease(version)) options.push('--pre-release');
  const { failed, all } = await execa(process.execPath, [vsce, 'package', ...options], {
    cwd: root,
    all: true,
    reject: false,
  });
  if (failed || all.includes('WARNING')) throw new Error(`vsce could not package the extension:\n${all}`);
  return { vsix, output: all };
}

/** Size in bytes of the npm package as it would be published with the current build. */
async function tarballSize(): Promise<number> {
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const { stdout } = await execa(command, [...first, 'pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root });
  const [{ size }] = JSON.parse(stdout);
  return size;
}

if (import.meta.main)
  await run(async () => {
    const { vsix, output } = await packageExtension();
    console.log(output);
    const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
    const { size } = await stat(vsix);
    const hdf5 = (await stat(path.join(root, 'dist', 'hdf5Worker.js.br'))).size;
    console.log(`${path.basename(vsix)}: ${kilobytes(size)} (${kilobytes(size - hdf5)} without the HDF5 library)`);
    console.log(`npm package: ${kilobytes(await tarballSize())}`);
  });
