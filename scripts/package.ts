/** Packs the extension into `gpu-doctor.vsix`, and says how large it and the npm package are. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { build } from './build.ts';
import { isPrerelease } from './releaseNotes.ts';
import { root } from './root.ts';
import { run } from './run.ts';

/** The page that stores and VS Code show of the extension; the repository's README is for contributors, too. */
const EXTENSION_PAGE = 'EXTENSION.md';

export interface Packed {
  readonly vsix: string;
  /** What the packer said: the files that it took. */
  readonly said: string;
}

/** Builds and packs. @throws an error with what the packer said, also where it only warned. */
export async function packageExtension(): Promise<Packed> {
  await build();
  const vsix = path.join(root, 'gpu-doctor.vsix');
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  // Everything is bundled, so no package is taken along. Stores take from the file itself whether it is a pre-release.
  const options = ['--no-dependencies', '--out', vsix, '--readme-path', EXTENSION_PAGE];
  if (isPrerelease(version)) options.push('--pre-release');
  const { failed, all } = await execa(process.execPath, [vsce, 'package', ...options], {
    cwd: root,
    all: true,
    reject: false,
  });
  if (failed || all.includes('WARNING')) throw new Error(`The extension could not be packed:\n${all}`);
  return { vsix, said: all };
}

/** Bytes of the npm package as it would be published, with what has been built. */
async function tarballSize(): Promise<number> {
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const { stdout } = await execa(command, [...first, 'pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root });
  const [{ size }] = JSON.parse(stdout);
  return size;
}

if (import.meta.main)
  await run(async () => {
    const { vsix, said } = await packageExtension();
    console.log(said);
    const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
    const { size } = await stat(vsix);
    const hdf5 = (await stat(path.join(root, 'dist', 'hdf5Worker.js.br'))).size;
    console.log(`${path.basename(vsix)} has ${kilobytes(size)}, ${kilobytes(size - hdf5)} without HDF5's library.`);
    console.log(`The npm package has ${kilobytes(await tarballSize())}.`);
  });
