/** Errors whose cause is a file beside the program: one with a package's name, or a missing shard. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { explainErrors } from '../../server/src/explain/explain.ts';
import { gather } from '../../server/src/explain/gather.ts';
import { readPaste } from '../../server/src/explain/reading/paste.ts';

const FOLDER = '/home/ada/project';

async function firstWith(files: readonly string[], text: string, folder = FOLDER) {
  const known = await gather(
    readPaste(text),
    undefined,
    { readText: async (path) => (files.includes(path) ? '' : undefined), readCheckpoint: async () => undefined },
    folder,
  );
  return explainErrors(readPaste(text), known)[0];
}

const failing = (message: string) =>
  `Traceback (most recent call last):\n  File "${FOLDER}/prog.py", line 2, in <module>\n    x = torch.zeros(3)\n${message}\n`;
const LACKING = failing("AttributeError: module 'torch' has no attribute 'zeros'");

test('a file with the name of a package explains what the package lacks', async () => {
  const first = await firstWith([join(FOLDER, 'torch.py')], LACKING);
  assert.equal(first?.id, 'package-shadowed');
  assert.deepEqual(first?.causes[0]?.evidence, [`${join(FOLDER, 'torch.py')} is in a folder of the program.`]);
  assert.equal((await firstWith([join(FOLDER, 'torch.py')], LACKING, '/tmp'))?.id, 'package-shadowed');
  const from = failing(`ImportError: cannot import name 'nn' from 'torch' (${FOLDER}/torch.py)`);
  assert.equal((await firstWith([], from))?.id, 'package-shadowed');
});

test('without such a file, or for a module of the project, nothing is hidden', async () => {
  for (const [files, text] of [
    [[], LACKING],
    [[join(FOLDER, 'models.py')], failing("AttributeError: module 'models' has no attribute 'Net'")],
    [
      [],
      failing("ImportError: cannot import name 'x' from 'torch' (/usr/lib/python3.11/site-packages/torch/torch.py)"),
    ],
  ] as const)
    assert.notEqual((await firstWith(files, text))?.id, 'package-shadowed', text);
});

test('the index beside a missing shard is read', async () => {
  const read: string[] = [];
  const text =
    'Traceback (most recent call last):\nFileNotFoundError: No such file or directory: m/model-00002-of-00004.safetensors\n';
  const files = {
    readText: async () => undefined,
    readCheckpoint: async (path: string) => {
      read.push(path);
      return undefined;
    },
  };
  await gather(readPaste(text), undefined, files, FOLDER);
  assert.deepEqual(
    read,
    ['m/model-00002-of-00004.safetensors', 'm/model.safetensors.index.json'].map((path) => join(FOLDER, path)),
  );
});
