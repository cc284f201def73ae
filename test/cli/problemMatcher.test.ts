/** The extension's problem matcher on the output of the command. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { folderWith, run } from './run.ts';

const { contributes } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const { pattern } = contributes.problemMatchers.find(({ name }: { name: string }) => name === 'gpu-doctor');

const LOAD = 'import torch\nweights = torch.load("weights.pt")\n';
const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', metadata: {}, outputs: [], source: LOAD }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

for (const format of ['concise', 'text'])
  test(`the problem matcher reads --output-format ${format}`, async (t) => {
    const cwd = await folderWith(t, {
      'explore.ipynb': NOTEBOOK,
      'keras_load.py': 'import keras\n\nmodel = keras.models.load_model("model.keras")\n',
      'train (old).py': LOAD,
    });
    const { stdout } = await run(['check', '.', '--output-format', format], { cwd });
    const found = stdout.split('\n').flatMap((line) => {
      const match = new RegExp(pattern.regexp).exec(line);
      if (!match) return [];
      const part = (name: string) => match[pattern[name]] ?? '';
      assert.match(part('message'), /^\S.*\.$/);
      return [['file', 'line', 'column', 'code', 'severity'].map(part).join(' ')];
    });
    assert.deepEqual(found, [
      'explore.ipynb 2 11 GPU101 warning',
      'keras_load.py 3 9 GPU301 information',
      'train (old).py 2 11 GPU101 warning',
    ]);
  });
