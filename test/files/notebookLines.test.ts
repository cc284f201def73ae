import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedLines } from '../../server/src/cli/changes.ts';
import { changedNotebookLines } from '../../server/src/files/notebookChanges.ts';
import { notebookLines } from '../../server/src/files/notebookLines.ts';

const notebook = (...sources: (string | string[])[]) =>
  JSON.stringify(
    { cells: sources.map((source) => ({ cell_type: 'code', metadata: {}, outputs: [], source })), metadata: {} },
    null,
    1,
  );

/** The text of the file's line on which a row is written. */
const lineOfRow = (json: string, cell: number, row: number) =>
  json.split('\n')[notebookLines(json)(cell, row) - 1]?.trim();

test('maps a row of a cell to a line of the file', () => {
  const json = notebook(['a\n', 'b\n', 'c'], ['d\ne\n', 'f'], 'g\nh');
  assert.equal(lineOfRow(json, 0, 1), '"a\\n",');
  assert.equal(lineOfRow(json, 0, 3), '"c"');
  assert.equal(lineOfRow(json, 1, 2), '"d\\ne\\n",');
  assert.equal(lineOfRow(json, 1, 3), '"f"');
  assert.equal(lineOfRow(json, 2, 2), '"source": "g\\nh"');
  assert.equal(lineOfRow(`\uFEFF${json.replaceAll('\n', '\r\n')}`, 0, 3), '"c"');
  assert.equal(lineOfRow(json.replace('"metadata": {}\n}', '"metadata": {"x": NaN}\n}'), 0, 2), '"b\\n",');
});

test('only changes to code count as changes of a notebook', () => {
  const before = notebook(['a\n', 'b'], ['c']);
  const lines = (after: string) =>
    changedNotebookLines(before, after)?.map(({ first }) => after.split('\n')[first - 1]?.trim());
  assert.deepEqual(lines(before.replace('"outputs": []', '"outputs": [1]')), []);
  assert.deepEqual(lines(JSON.stringify(JSON.parse(before), null, 4)), []);
  // The comma after `b` belongs to JSON.
  assert.deepEqual(lines(notebook(['a\n', 'b\n', 'new'], ['c'])), ['"new"']);
  assert.deepEqual(lines(notebook(['x\n', 'b'], ['new'], ['c'])), ['"x\\n",', '"new"']);
  assert.equal(changedNotebookLines('{', before), undefined);
});

test('a diff is parsed by its line counts', () => {
  const diff = `diff --git a/old.py b/new.py
rename from old.py
rename to new.py
--- a/old.py
+++ b/new.py
@@ -1 +1,2 @@
--- a/no.py
+++ b/no.py
+@@ -7 +7 @@
@@ -9,2 +10,0 @@ def f():
-x
-y
diff --git "a/\\303\\244\\"\\t.py" "b/\\303\\244\\"\\t.py"
--- /dev/null
+++ "b/q\\"\\t\\\\.py"
@@ -0,0 +1 @@
+x
\\ No newline at end of file
--- a/with blank.py\t
+++ b/with blank.py\t
@@ -3 +3 @@
-a
+b
`;
  assert.deepEqual(
    [...changedLines(diff)],
    [
      ['new.py', { old: 'old.py', ranges: [{ first: 1, last: 2 }] }],
      ['q"\t\\.py', { old: undefined, ranges: [{ first: 1, last: 1 }] }],
      ['with blank.py', { old: 'with blank.py', ranges: [{ first: 3, last: 3 }] }],
    ],
  );
});
