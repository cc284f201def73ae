import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { failingLine } from '../../server/src/explain/reading/cells.ts';
import { type CellOutput, failureIn } from '../../server/src/explain/reading/outputs.ts';
import type { Source } from '../../server/src/python/semantic/source.ts';

const NOTEBOOKS = path.join(import.meta.dirname, 'notebooks');

interface RawOutput {
  readonly output_type: string;
  readonly name?: string;
  readonly text?: readonly string[];
  readonly traceback?: readonly string[];
}

/** The cells of a notebook on disk with their outputs. */
function read(file: string): { source: Source; outputs: CellOutput[][] } {
  const { cells } = JSON.parse(readFileSync(path.join(NOTEBOOKS, file), 'utf8'));
  const outputOf = ({ output_type, name, text = [], traceback = [] }: RawOutput): CellOutput =>
    output_type === 'error'
      ? { kind: 'error', text: traceback.join('\n') }
      : { kind: name === 'stderr' ? 'stderr' : 'stdout', text: text.join('') };
  return {
    source: {
      path: file,
      kind: 'notebook',
      cells: cells.map(({ source }: { source: string[] }, index: number) => ({ index, text: source.join('') })),
    },
    outputs: cells.map(({ outputs }: { outputs: RawOutput[] }) => outputs.map(outputOf)),
  };
}

const CUDA = 'checkpoint-of-missing-device';

/** For each cell, the message in its outputs and the line of the cell where it occurred. */
const EXPECTED = [undefined, [CUDA, 3], [CUDA, 2], [CUDA], [CUDA], undefined, [CUDA], [CUDA, 2], undefined, undefined];

for (const file of globSync('*.ipynb', { cwd: NOTEBOOKS }).sort())
  test(`cells of ${path.parse(file).name} with known errors are found`, () => {
    const { source, outputs } = read(file);
    const found = source.cells.map(({ text }, cell) => {
      const failure = failureIn(outputs[cell] ?? [], text);
      if (!failure) return undefined;
      assert.equal(failure.failed, true);
      const line = failingLine(failure.paste, source, cell);
      return [failure.paste.messages[0]?.message.id, ...(line ? [line.line] : [])];
    });
    assert.deepEqual(found, EXPECTED);
  });

const [file = ''] = globSync('*9.*.ipynb', { cwd: NOTEBOOKS });

/** The notebook with another text in the cell whose second line fails in a function of the first cell. */
function lineOf(text: string): number | undefined {
  const { source, outputs } = read(file);
  const failure = failureIn(outputs[1] ?? [], text);
  assert.ok(failure);
  const cells = source.cells.map((cell, index) => (index === 1 ? { index, text } : cell));
  return failingLine(failure.paste, { ...source, cells }, 1)?.line;
}

test('a moved line is still the failing one, an edited line is not', () => {
  assert.equal(lineOf('import os\n\n# more\nprint(1)\nmodel = restore("model.pt")\n'), 5);
  assert.equal(lineOf('print(1)\r\nmodel = restore("model.pt")\r\n'), 2);
  assert.equal(lineOf('print(1)\nmodel = restore("other.pt")'), undefined);
  assert.equal(lineOf('model = restore("model.pt")\nmodel = restore("model.pt")'), undefined);
  assert.equal(lineOf(''), undefined);
});

test("a cell's output is ordinary output, unless it shows how a program ended", () => {
  const stderr =
    'UserWarning: CUDA initialization: The NVIDIA driver on your system is too old (found version 10010). Please update your GPU driver\n';
  assert.equal(failureIn([{ kind: 'stderr', text: stderr }], 'import torch')?.failed, false);
  const said = 'RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 8.00 GiB total capacity)\n';
  assert.equal(failureIn([{ kind: 'stdout', text: said }], 'print(error)'), undefined);
  assert.equal(failureIn([{ kind: 'stdout', text: said }], '!python train.py')?.failed, false);
});

test('output sent in pieces is read as one', () => {
  const pieces = ['RuntimeError: CUDA err', 'or: no kernel image is available for execution on the dev', 'ice\n'];
  const outputs = pieces.map((text): CellOutput => ({ kind: 'stderr', text }));
  assert.ok(failureIn(outputs, 'x()'));
});

test('a cell without outputs has no explanation', () => {
  assert.equal(failureIn([], 'import torch'), undefined);
});
