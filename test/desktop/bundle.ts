/** Bundles the suite for VS Code and creates the folder that it opens. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const LOAD = 'import torch\n\nmodel = torch.load("model.pt")\n';

const NOTEBOOK = {
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# A model'] },
    { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: LOAD.split(/(?<=\n)/) },
  ],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
};

/** The files in the folder that the suite opens. */
export const FILES = { 'load.py': LOAD, 'load.ipynb': JSON.stringify(NOTEBOOK) };

/** As an extension, the suite runs after the workbench has started. */
const MANIFEST = {
  name: 'desktop-suite',
  publisher: 'gpu-doctor-test',
  version: '0.0.0',
  license: 'MIT',
  repository: { type: 'git', url: 'https://example.org/suite.git' },
  engines: { vscode: '^1.101.0' },
  main: './suite.js',
  activationEvents: ['onStartupFinished'],
};

/** Bundles the suite into a folder and returns the path of its entry. */
export async function bundleSuite(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const outfile = path.join(folder, 'suite.js');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'suite.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    outfile,
    logLevel: 'warning',
  });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(MANIFEST));
  await writeFile(path.join(folder, 'README.md'), 'Not for publication.');
  return outfile;
}
