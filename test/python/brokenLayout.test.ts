import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { hasBrokenLayout } from '../../server/src/python/brokenLayout.ts';
import { mask } from '../../server/src/python/mask.ts';

test('a line that cannot stand as it does is seen wherever it is', () => {
  for (const line of [
    'model.',
    'x = torch.',
    'x = f()  .  # a comment',
    'x = 1 +',
    'x =',
    'if a and',
    'import',
    'from torch import',
    'x = y if z else',
    'x = "a" %',
    'for x in',
    'if x:',
    'else:  # nothing yet',
    'x = [\n    1,\n] +',
    'x = 1 + \\\n    2 *',
    'x = """\nany (\n""".',
  ]) {
    for (const text of [line, `${line}\n`, `a = 1\n${line}\nb = 2\n`, `def f():\n    a\n${line}\r\n\r\nb = 2`])
      assert.equal(hasBrokenLayout(text), true, text);
  }
  assert.equal(hasBrokenLayout('def f():\n\n    # nothing\n\nx = 1\n'), true);
  assert.equal(hasBrokenLayout('def f():\n    if x:\n        y\nx\n    return y\n'), true);
  assert.equal(hasBrokenLayout('if x:\n\ty = 1\n\tif z:\n        y = 2\n'), true);
  assert.equal(hasBrokenLayout('def f():\n    if x:\n            y\n        z\n'), true);
  assert.equal(hasBrokenLayout('class A:\n    x = 1\n  # a comment\n  y = 2\n'), true);
});

test('what Python takes is taken', () => {
  for (const text of [
    '',
    '\n\n# x =\n',
    'x = 1.\ny = ...\n',
    'from x import *\n',
    'x = (1 +\n  2)\n',
    'x = 1 + \\\n  2\n',
    'x = {\n  "a": [\n1.\n]}\n',
    'x = "it\'s #1 ("\n',
    'x = """\nif x:\n(\n"""\n',
    'x = "\\"."\ny = 1\n',
    'if x: y\nelse: z\n',
    'if x:  # comment:\n\n  # another\n    y\n',
    'if x:\r\n\ty\r\n',
    'class A(\n  B,\n):\n  pass\n',
    "print 'a',\nprint\nreturn\nraise\n",
    'x: int\nbasis\nx.is_in\nplan.for_\n',
    'd[a:\nb]\n',
    'lambda: 0\n',
    '    x = 1\n    y = 2\n',
    '    x = 1\ny = 2\n',
    'if a:\n        b\nelif c:\n  d\n  if e:\n     f\ng\n',
    'def f(\na,\n       b): return 1\nx\n',
    'if a:\n        if b:\n                c\n        else:\n            d\ne\n',
    'class A:\n    def f(self):\n        x\n# a comment\n  # another\n    y = 1\n',
  ])
    assert.equal(hasBrokenLayout(text), false, text);
});

test('every Python file of the examples and fixtures is taken', async () => {
  const root = new URL('../../', import.meta.url);
  const files = globSync(['examples/**/*.py', 'test/**/*.py'], { cwd: root });
  assert.ok(files.length > 50);
  for (const file of files) {
    const text = await readFile(new URL(file, root), 'utf8');
    assert.equal(hasBrokenLayout(mask(text)), false, file);
  }
});
