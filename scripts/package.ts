/** Packs the extension into `gpu-doctor.vsix`. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { execa } from 'execa';
import { build } from './build.ts';
import { root } from './root.ts';
import { run } from './run.ts';

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
  // Everything is bundled, so no package is taken along.
  const { failed, all } = await execa(process.execPath, [vsce, 'package', '--no-dependencies', '--out', vsix], {
    cwd: root,
    all: true,
    reject: false,
  });
  if (failed || all.includes('WARNING')) throw new Error(`The extension could not be packed:\n${all}`);
  return { vsix, said: all };
}

if (import.meta.main)
  await run(async () => {
    const { vsix, said } = await packageExtension();
    console.log(said);
    const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`;
    const { size } = await stat(vsix);
    const hdf5 = deflateRawSync(await readFile(path.join(root, 'dist', 'hdf5Worker.js'))).length;
    console.log(`${path.basename(vsix)} has ${kilobytes(size)}, ${kilobytes(size - hdf5)} without HDF5's library.`);
  });
