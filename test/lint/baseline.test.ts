import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { Trouble } from '../../server/src/files/trouble.ts';
import {
  type Baseline,
  baselineMatcher,
  findingKey,
  parseBaseline,
  pathInBaseline,
  renderBaseline,
} from '../../server/src/lint/baseline.ts';
import { lint } from '../../server/src/lint/lint.ts';
import { type Source, script } from '../../server/src/python/semantic/source.ts';

const FOLDER = path.resolve('/project');
const at = (name: string) => path.join(FOLDER, name);

/** The baseline keys of a source's findings, in source order. */
function keysOf(source: string | Source) {
  const { program, findings } = lint(typeof source === 'string' ? script('a.py', source) : source);
  return findings.filter(({ severity }) => severity !== 'hint').map((finding) => findingKey(program, finding));
}

/** A baseline of files after a round trip through its file format. */
function baselineOf(files: Readonly<Record<string, string>>): Baseline {
  const entries = Object.entries(files).flatMap(([name, text]) =>
    keysOf(text).map((key) => ({ file: pathInBaseline(FOLDER, at(name)), ...key })),
  );
  return parseBaseline(renderBaseline(entries), FOLDER);
}

/** The findings of a changed file that its baseline accepts, and the number of entries left. */
function compare(before: string, after: string) {
  const matcher = baselineMatcher(baselineOf({ 'a.py': before }), () => true);
  return { accepted: matcher.accepted(at('a.py'), keysOf(after)), left: matcher.left().length };
}

const TWO = 'import torch\n\na = torch.load("a.pt")\n\nb = torch.load("b.pt")\nprint(a, b)\n';

test('an unchanged file has no new findings', () => {
  assert.deepEqual(compare(TWO, TWO), { accepted: [true, true], left: 0 });
});

test('moved, indented and reformatted lines keep their entries', () => {
  const moved = `"""Words."""\n# more\n\n${TWO}`;
  assert.deepEqual(compare(TWO, moved), { accepted: [true, true], left: 0 });
  const indented =
    'import torch\n\ndef f():\n    a = torch.load("a.pt")\n\n    b = torch.load("b.pt")\n    return a, b\n';
  assert.deepEqual(compare(TWO, indented), { accepted: [true, true], left: 0 });
  const broken = TWO.replace('torch.load("a.pt")', 'torch.load(\n    "a.pt"\n)');
  assert.deepEqual(compare(TWO, broken), { accepted: [true, true], left: 0 });
  const swapped = 'import torch\nb = torch.load("b.pt")\na = torch.load("a.pt")\n';
  assert.deepEqual(compare(TWO, swapped), { accepted: [true, true], left: 0 });
  assert.deepEqual(compare(TWO, TWO.replaceAll('\n', '\r\n')), { accepted: [true, true], left: 0 });
});

test('a new line, a changed line and a second copy are new', () => {
  const added = TWO.replace('print', 'c = torch.load("c.pt")\nprint');
  assert.deepEqual(compare(TWO, added), { accepted: [true, true, false], left: 0 });
  const changed = TWO.replace('"a.pt"', '"other.pt"');
  assert.deepEqual(compare(TWO, changed), { accepted: [false, true], left: 1 });
  // Among identical lines, the one between the same neighbors is accepted, wherever the copy is.
  const copied = `import torch\n\ndef g():\n    a = torch.load("a.pt")\n    return a\n\n${TWO.slice(13)}`;
  assert.deepEqual(compare(TWO, copied), { accepted: [false, true, true], left: 0 });
});

test('entries of fixed findings are left over', () => {
  const fixed = TWO.replace('"a.pt"', '"a.pt", map_location="cpu"');
  const matcher = baselineMatcher(baselineOf({ 'a.py': TWO }), () => true);
  assert.deepEqual(matcher.accepted(at('a.py'), keysOf(fixed)), [true]);
  assert.deepEqual(
    matcher.left().map(({ file, text }) => [file, text]),
    [['a.py', 'a = torch.load("a.pt")']],
  );
});

test('another rule on the same line is new', () => {
  const before = 'import torch\nx = torch.load("a.pt")\n';
  const [key] = keysOf(before);
  assert.ok(key);
  const matcher = baselineMatcher(baselineOf({ 'a.py': before }), () => true);
  assert.deepEqual(matcher.accepted(at('a.py'), [{ ...key, rule: 'GPU202' }]), [false]);
});

test('a renamed file inherits the entries of the deleted file, a copy does not', () => {
  const baseline = baselineOf({ 'old.py': TWO });
  const renamed = baselineMatcher(baseline, () => false);
  assert.deepEqual(renamed.accepted(at('lib/new.py'), keysOf(TWO)), [true, true]);
  assert.deepEqual(renamed.accepted(at('lib/newer.py'), keysOf(TWO)), [false, false]);
  const copied = baselineMatcher(baseline, () => true);
  assert.deepEqual(copied.accepted(at('lib/new.py'), keysOf(TWO)), [false, false]);
  // The same line between other neighbors in a renamed file is a different finding.
  const unrelated = baselineMatcher(baseline, () => false);
  assert.deepEqual(unrelated.accepted(at('x.py'), keysOf('import torch\nq = 1\na = torch.load("a.pt")\nq = 2\n')), [
    false,
  ]);
});

test('notebooks: cells may move, and neighbors are those within the cell', () => {
  const cells = ['import torch', '# load\na = torch.load("a.pt")\nprint(a)'];
  const notebook = (texts: readonly string[]): Source => ({
    path: 'a.ipynb',
    kind: 'notebook',
    cells: texts.map((text, index) => ({ index, text })),
  });
  const before = keysOf(notebook(cells));
  assert.equal(before.length, 1);
  assert.deepEqual(keysOf(notebook(['import torch', 'x = 1', ...cells.slice(1), 'y = 2'])), before);
});

test('the file is sorted, has one entry per line, and survives a round trip', () => {
  const baseline = baselineOf({ 'b.py': TWO, 'a.py': TWO });
  const text = renderBaseline([...baseline.entries].reverse());
  assert.equal(text, renderBaseline(baseline.entries));
  assert.equal(text.split('\n').filter((line) => line.includes('"rule":"GPU101"')).length, 4);
  assert.ok(text.indexOf('"a.py"') < text.indexOf('"b.py"'));
  assert.deepEqual(parseBaseline(renderBaseline([]), FOLDER).entries, []);
});

test('a file that is not a baseline produces one sentence', () => {
  const message = (text: string) => {
    try {
      parseBaseline(text, FOLDER);
    } catch (error) {
      assert.ok(error instanceof Trouble);
      return error.message;
    }
    return assert.fail('it was read');
  };
  assert.match(message('<<<<<<< HEAD\n{}'), /^is not a baseline: it is not JSON \(line 1, column 1/);
  assert.match(message('[]'), /^is not a baseline: /);
  assert.match(message('{"version": 2, "findings": []}'), /`version` must be 1/);
  assert.match(message('{"version": 1, "findings": [{"file": "a.py"}]}'), /`findings\[0\]\.rule`/);
  assert.match(message('{"version": 1}'), /`findings`/);
});
