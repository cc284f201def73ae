/** The command line's machine-readable output conforms to `schemas/`. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../../scripts/root.ts';
import { folderWith, run } from '../cli/run.ts';

const CODE = 'import torch\n\nmodel = torch.load("a.pt")\nmodel.to("cuda:1")\n';

const NOTEBOOK = JSON.stringify({
  cells: [{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: [CODE] }],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

const FILES = {
  'train.py': CODE,
  'train.ipynb': NOTEBOOK,
  'error.txt': 'RuntimeError: CUDA error: invalid device ordinal\n',
  'gpu-stack.yaml': 'format: 1\ndriver: "1.0"\n',
};

/** Checkpoints, one folder per family. */
const FIXTURES = path.join(root, 'test', 'checkpoint', 'fixtures');

/** Each output with the arguments that produce it. */
const OUTPUTS: readonly (readonly [schema: string, args: readonly string[]])[] = [
  ['check', ['check', '.', '--output-format', 'json', '--hints']],
  ['statistics', ['check', '.', '--statistics', '--output-format', 'json']],
  ['stack', ['stack', '--output-format', 'json', '--no-probe']],
  ['stack-compare', ['stack', '--compare', 'gpu-stack.yaml', 'live', '--output-format', 'json', '--no-probe']],
  ['inspect', ['inspect', path.join(FIXTURES, 'torch'), '--output-format', 'json']],
  ['inspect', ['inspect', path.join(FIXTURES, 'keras'), '--output-format', 'json', '--no-live']],
  [
    'inspect-compare',
    [
      'inspect',
      path.join(FIXTURES, 'torch/cpu.pt'),
      '--compare',
      path.join(FIXTURES, 'torch/two_gpus.pt'),
      '--output-format',
      'json',
    ],
  ],
  ['explanation', ['explain', 'error.txt', '--output-format', 'json', '--no-probe']],
  ['plan', ['plan', 'torch', '--output-format', 'json']],
  ['plan', ['plan', 'torch==9', '--output-format', 'json', '--for', 'dockerfile']],
  ['plan-check', ['plan', '--check', 'torch', '--output-format', 'json']],
];

for (const [name, args] of OUTPUTS)
  test(`gpu-doctor ${args.join(' ').replace(root, '.')}`, async (t) => {
    const cwd = await folderWith(t, FILES);
    const { stdout } = await run(args, { cwd });
    const schema = JSON.parse(await readFile(path.join(root, 'schemas', `${name}.schema.json`), 'utf8'));
    // Types are written as unions, as in TypeScript.
    const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
    const printed = JSON.parse(stdout);
    assert.ok(Array.isArray(printed) ? printed.length > 0 : printed);
    assert.ok(validate(printed), JSON.stringify(validate.errors));
    // The schema is not trivial: a number is not valid output.
    assert.ok(!validate(42));
  });
