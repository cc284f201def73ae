import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDocument } from '../../server/src/files/document.ts';
import { readNotebook } from '../../server/src/files/notebook.ts';
import { rewriteNotebook } from '../../server/src/files/notebookEdits.ts';
import { Trouble } from '../../server/src/files/trouble.ts';
import { Unreadable } from '../../server/src/projectFile.ts';

/** Writes a notebook with changed text in its code cells. */
function rewritten(json: string, change: (text: string) => string): string {
  const { source } = readNotebook('nb.ipynb', json);
  const after = { ...source, cells: source.cells.map(({ index, text }) => ({ index, text: change(text) })) };
  const result = rewriteNotebook(json, source, after);
  // The written notebook reads back as intended.
  assert.deepEqual(readNotebook('nb.ipynb', result).source, after);
  return result;
}

const cell = (source: string) => `{"cell_type":"code","source":${source}}`;
const notebook = (...sources: string[]) => `{"cells":[${sources.map(cell).join(',')}]}`;

test('only the changed line of a notebook changes, byte for byte', () => {
  const json = String.raw`{
 "cells": [
  {
   "cell_type": "markdown",
   "source": ["old caf\u00e9"],
   "metadata": {}
  },
  {
   "outputs": [ {"data":   {"x": 1e400, "y": 1.0, "n": null}}, {"text": "old \/ "} ],
   "metadata": {"z": 1, "a": 2},
   "execution_count":  3,
   "cell_type": "code",
   "source": [
    "import torch\n",
    "x = old  # \u65e5 \/ é\n",
    "y = 1"
   ]
  }
 ],
 "nbformat": 4
}
`;
  assert.equal(
    rewritten(json, (text) => text.replace('old', 'new(1)')),
    json.replace('x = old', 'x = new(1)'),
  );
});

test("the forms of a cell's source are kept", () => {
  assert.equal(
    rewritten(notebook(String.raw`"a\n\u00e9 = 1\nb"`), (text) => text.replace('= 1', '= 2')),
    notebook(String.raw`"a\n\u00e9 = 2\nb"`),
  );
  assert.equal(
    rewritten(notebook('["a\\n", "b"]'), (text) => text.replace('b', 'c')),
    notebook('["a\\n", "c"]'),
  );
  // A list whose items are not split at line ends is split only at changes.
  assert.equal(
    rewritten(notebook('["a\\nb\\n", "c"]'), (text) => `${text}!`),
    notebook('["a\\n", "b\\n", "c!"]'),
  );
});

test('adding and removing lines keeps the layout of the list', () => {
  const list = (lines: string[], [open, between, close]: string[]) =>
    notebook(`[${open}${lines.map((line) => JSON.stringify(line)).join(`,${between}`)}${close}]`);
  for (const layout of [
    ['', ' ', ''],
    ['\n    ', '\n    ', '\n   '],
    ['\r\n\t', '\r\n\t', '\r\n'],
  ]) {
    const change = (before: string[], after: string[]) =>
      assert.equal(
        rewritten(list(before, layout), () => after.join('')),
        list(after, layout),
      );
    change(['a\n', 'b\n', 'c'], ['a\n', 'x\n', 'b\n', 'c']);
    change(['a\n', 'b\n', 'c'], ['x\n', 'y\n', 'a\n', 'b\n', 'c']);
    change(['a\n', 'b\n', 'c'], ['a\n', 'b\n', 'x\n', 'y\n', 'c']);
    change(['a\n', 'b\n', 'c'], ['a\n', 'b\n']);
    change(['a\n', 'b\n', 'c'], ['b\n', 'c']);
    change(['a\n', 'b\n', 'c'], ['a\n', 'c']);
    change(['a\n', 'b\n', 'c'], ['c']);
    change(['a\n', 'b\n', 'c'], ['1\n', '2\n', '3\n', '4']);
    change(['a\n', 'b'], ['a\n', 'b\n', 'c']);
  }
  assert.equal(
    rewritten(notebook('[]'), () => 'a\nb'),
    notebook('["a\\n", "b"]'),
  );
  assert.equal(
    rewritten(notebook('["a"]'), () => ''),
    notebook('[]'),
  );
  assert.equal(
    rewritten(notebook('""'), () => 'a'),
    notebook('"a"'),
  );
});

test('characters are escaped as in the notebook', () => {
  const add = (text: string) => text.replace('1', '"é😀"');
  assert.equal(rewritten(notebook('"x = 1"'), add), notebook(String.raw`"x = \"\u00e9\ud83d\ude00\""`));
  assert.equal(rewritten(notebook('"x = 1 # é"'), add), notebook('"x = \\"é😀\\" # é"'));
  // 😀 and 😁 share their first UTF-16 unit.
  assert.equal(
    rewritten(notebook('"😀"'), () => '😁'),
    notebook('"😁"'),
  );
  assert.equal(rewritten(notebook('"\\"\\t\\\\1"'), add), notebook(String.raw`"\"\t\\\"\u00e9\ud83d\ude00\""`));
});

test('byte order mark, NaN in outputs and the end of the file are kept', () => {
  const json = `\uFEFF{"cells":[{"outputs":[NaN, -Infinity, Infinity, "NaN \\" NaN"],"cell_type":"code","source":"a"}]}\r\n\n`;
  assert.equal(
    rewritten(json, () => 'b'),
    json.replace('"a"', '"b"'),
  );
});

test('a notebook without changes keeps its text', () => {
  const json = notebook('"a"', '["b"]');
  assert.equal(
    rewritten(json, (text) => text),
    json,
  );
});

test('only Python code cells are read', () => {
  const read = (metadata: object, cells: object[] = [{ cell_type: 'code', source: 'x' }]) =>
    readNotebook('nb.ipynb', JSON.stringify({ metadata, cells })).source.cells;
  assert.equal(read({}).length, 1);
  assert.equal(read({ kernelspec: { name: 'my-env', language: 'python' } }).length, 1);
  assert.equal(read({ kernelspec: { name: 'my-env' } }).length, 1);
  assert.equal(read({ language_info: { name: 'R' } }).length, 0);
  assert.equal(read({ kernelspec: { name: 'julia-1.10' } }).length, 0);
  const mixed = [
    { cell_type: 'raw', source: 'x' },
    { cell_type: 'code', source: 'x', metadata: { vscode: { languageId: 'sql' } } },
    { cell_type: 'code', source: ['a\n', 'b'], metadata: { vscode: { languageId: 'python' } } },
  ];
  assert.deepEqual(read({}, mixed), [{ index: 2, text: 'a\nb' }]);
});

test('no prefix of a notebook is accepted as a notebook', () => {
  const json = notebook('"a\\n"', '["b\\u00e9"]');
  for (let length = 0; length < json.length; length++) {
    assert.throws(() => readNotebook('nb.ipynb', json.slice(0, length)), Trouble);
  }
});

test('the code of a notebook may be as long as a program, and its outputs longer', () => {
  const long = JSON.stringify('x'.repeat(9 * 2 ** 20));
  const read = (json: string) => readDocument('nb.ipynb', Buffer.from(json)).source.cells.length;
  assert.throws(() => read(notebook(long, long)), Unreadable);
  assert.equal(read(`{"cells":[${cell(long)},{"cell_type":"markdown","source":${long}}]}`), 1);
});
