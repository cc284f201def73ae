/** Invalid code costs only its own statement; Python 2 and IPython are not errors. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseModule } from '../../../server/src/python/syntax/parse.ts';
import { outline } from './outline.ts';

/** Texts, and the statements that are read from them. */
type Table = readonly (readonly [text: string, read: string])[];

const BROKEN: Readonly<Record<string, Table>> = {
  'an incomplete statement': [
    ['a = 1\nb =\nc = 3', 'a =; broken { b = }; c ='],
    ['a = b +\nc', 'broken { a = }; c'],
    ['a.\nb', 'broken { a. }; b'],
    ['def f():\n  x.\n  y = 1\nz', 'def f { broken { x. }; y = }; z'],
    ['import\nx', 'broken { import  }; x'],
    ['from a import\nx', 'broken { import  }; x'],
    ['from a\nx', 'broken { import  }; x'],
    ['f(a b)\nx', 'broken { f() }; x'],
    ['a b\nx', 'broken { a }; x'],
    ['a; b c; d', 'a; broken { b }; d'],
    ['return return\nx', 'broken { return }; x'],
    ['x = 5 5\ny', 'broken { x = }; y'],
    ['1 +', 'broken { BinOp }'],
    ['raise X from\ny', 'broken { raise }; y'],
    ['del\nx', 'broken { delete }; x'],
    ['@\ndef f(): pass\nx', 'def f { pass }; x'],
    ['@a\nx = 1', 'broken { a }; x ='],
  ],
  'an incomplete header': [
    ['def\nx', 'def  {}; x'],
    ['def f\nx', 'def f {}; x'],
    ['def f(\nx = 1', 'def f {}; x ='],
    ['def f(a, b\n  x = 1\n  return x\ny', 'def f { x =; return }; y'],
    ['def f(a)\n  x = 1\ny', 'def f { x = }; y'],
    ['class A\n  def f(self):\n    x\ny', 'class A { def f { x } }; y'],
    ['class A(B\n  x = 1\ny', 'class A { x = }; y'],
    ['if\n  x\ny', 'if { x }; y'],
    ['if a\n  x\nelse\n  y\nz', 'if { x } else { y }; z'],
    ['if a ==:\n  x\ny', 'if { x }; y'],
    ['for x in\n  y\nz', 'for { y }; z'],
    ['for x\n  y\nz', 'for { y }; z'],
    ['while a b:\n  x\ny', 'while { x }; y'],
    ['with open(a) as\n  x\ny', 'with { x }; y'],
    ['if a:\nx', 'if {}; x'],
    ['def f():\nx = 1\ny', 'def f {}; x =; y'],
    ['def f():\n  if a:\n  b\nc', 'def f { if {}; b }; c'],
    ['try:\n  x\ny = 1', 'try { x }; y ='],
    ['try:\n  x\nexcept\n  y\nz', 'try { x } except { y }; z'],
    ['match x:\n  case 1:\n  case\n    y\nz', 'match {} { y }; z'],
    ['match x:\n  case 1: a\n  b\nc', 'match { a }; c'],
    ['else:\n  x\ny', 'broken { x }; y'],
    ['def f():\n  x\n  except A:\n    y\n  z', 'def f { x; broken { y }; z }'],
  ],
  brackets: [
    ['f(\nx = 1\ndef g(): pass', 'broken { f() }; x =; def g { pass }'],
    ['x = torch.load(a,\ny = 2\nz', 'broken { x = }; y =; z'],
    ['def f():\n  x = [1,\n  y = 2\n  return y\nz', 'def f { broken { x = }; y =; return }; z'],
    ['class A:\n  def f(self):\n    x = {\n  def g(self):\n    y', 'class A { def f { broken { x = } }; def g { y } }'],
    ['f(a]\nx', 'broken { f() }; x'],
    ['f(a))\nx', 'broken { f() }; x'],
    ['x = [(1, 2]\ny', 'broken { x = }; y'],
    ['x = }\ny', 'broken { x = }; y'],
    ['f(a,\n  b,\n  c\nx = 1\nimport y', 'broken { f(); Tuple; c }; x =; import y'],
    ['f(\n  g(h(\n    1\n  ))\nx = 1', 'broken { f(); g() }; x ='],
    ['x = foo(\nfrom a import b\ny', 'broken { x = }; import b; y'],
    ['f(a, , b)\nx', 'broken { f() }; x'],
    ['{a: , b: c}\nx', 'broken { Dict }; x'],
    ['f(return)\nx', 'broken { f() }; x'],
    ['x = a[\ny = 1', 'broken { x = }; y ='],
    ['lambda (\nx = 1', 'broken { Lambda }; x ='],
  ],
  strings: [
    ['x = "a\ny = 1', 'broken { x = }; y ='],
    ["f('a\ny = 1\ndef g(): pass", 'broken { f() }; y =; def g { pass }'],
    ['x = f"{a\ny = 1\ndef g(): pass', 'broken { x = }; y =; def g { pass }'],
    ['x = f"{a(b"\ny = 1\nreturn', 'broken { x = }; y =; return'],
    ["x = f'{'\ny = 1\nimport z", 'broken { x = }; y =; import z'],
    ['x = f"{}"\ny', 'broken { x = }; y'],
    ['x = f"}"\ny', 'broken { x = }; y'],
    ['x = f"{a!}"\ny', 'broken { x = }; y'],
    ['x = 1\n"""\ny = 2\ndef f():\n  return 3\n', 'x =; broken {}; def f { return }'],
    [
      '"""\ndef f():\n  """Of f."""\n  return 1\ndef g():\n  """Of g."""\n',
      'broken {}; def f { "Of f."; return }; def g { "Of g." }',
    ],
    [
      'def f():\n  """\n  x = 1\n\ndef g():\n  """Of g."""\n  return 1\n\ndef h():\n  """Of h."""\n  return 2',
      'def f { broken {} }; def g { "Of g."; return }; def h { "Of h."; return }',
    ],
    [
      'def f():\n  """Of f.\n  x = 1\n\ndef g():\n  """\n  Of g.\n  """\n  return 1',
      'def f { broken {} }; def g { "\\n  Of g.\\n  "; return }',
    ],
    ['x = """a\nimport b\n', 'broken { x = }; import b'],
    ['x = f"""{a}\nimport b\n', 'broken { x = }; import b'],
    ['x = “a”\ny', 'broken { x = }; y'],
    ['x = $a\ny', 'broken { x = }; y'],
    ['x = a \\ b\ny', 'broken { x = }; y'],
  ],
  indentation: [
    ['a\n    b\nc', 'a; broken { b }; c'],
    ['def f():\n  a\n      b\n  c\nd', 'def f { a; broken { b }; c }; d'],
    ['if a:\n    b\n  c\nd', 'if { b }; broken { c }; d'],
    ['  a\nb', 'broken { a }; b'],
    ['def f():\n  a\n b\n  c\nd', 'def f { a }; broken { b; c }; d'],
  ],
  'conflict markers': [
    ['<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> other\ny', 'x =; x =; y'],
    [
      'def f():\n<<<<<<< HEAD\n  x = 1\n||||||| base\n  x = 2\n=======\n  x = 3\n>>>>>>> b\n  return x',
      'def f { x =; x =; x =; return }',
    ],
    ['f(\n<<<<<<< a\n  1,\n=======\n  2,\n>>>>>>> b\n)\nx', 'broken { f() }; x'],
  ],
};

for (const [what, table] of Object.entries(BROKEN)) {
  test(`${what}: the surrounding code is kept`, () => {
    for (const [text, read] of table) {
      const { body, errors } = parseModule(text);
      assert.equal(outline(body), read, text);
      assert.ok(errors.length > 0, text);
    }
  });
}

const UNDERSTOOD: Readonly<Record<string, Table>> = {
  'Python 2': [
    ['print "a", b,\nprint "%s" % x\nprint x\nprint not x\nprint f(x), y', 'print; print; print; print; print'],
    ['print `x`; exec "a" in b, c; exec code', 'print; exec; exec'],
    ['raise E, v\nraise E, v, t\nx <> y\nx = 0777, 7L, ur"a"', 'raise; raise; Compare; x ='],
    ['try: a\nexcept E, e: print e\nexcept (A, B), f: c', 'try { a } except as e { print } except as f { c }'],
    ['def f(a, (b, c)): return lambda (x, y): x', 'def f { return }'],
    ['x.cuda(async=True)\nasync = 1\nx.async', 'x.cuda(); async =; x.async'],
  ],
  IPython: [
    ['!ls -l "\n%time f(x\n?x\nx = 1', 'shell; line; help; x ='],
    ['x = !ls\ny = %who\nz = !a \\\nb\nw', 'x = shell; y = line; z = shell; w'],
    ['if a:\n  !pip install b\n  x = !c\n  %d\ne', 'if { shell; x = shell; line }; e'],
    ['a.b?\nc??\nd', 'help; help; d'],
    ['%%time\nx = 1', 'cell; x ='],
    ['\n%%bash\nfor x in y; do\ndone', 'cell'],
    ['x = (a\n%y\n)\nz != w', 'x =; Compare'],
    ['x = """\n!a\n%b\n"""\nc %d', 'x =; BinOp'],
    ['x = a \\\n% b', 'x ='],
  ],
};

for (const [what, table] of Object.entries(UNDERSTOOD)) {
  test(`${what} is parsed`, () => {
    for (const [text, read] of table) {
      const { body, errors } = parseModule(text, { notebook: what === 'IPython' });
      assert.deepEqual(errors, [], text);
      assert.equal(outline(body), read, text);
    }
  });
}

test('IPython lines in a script are errors', () => {
  const { body, errors } = parseModule('!ls\nx = %who\ny');
  assert.equal(outline(body), 'broken {}; broken { x = }; y');
  assert.equal(errors.length, 2);
});

test('`except A, b` is Python 2 only if other code is', () => {
  assert.equal(outline(parseModule('try: a\nexcept A, b: c').body), 'try { a } except { c }');
  assert.equal(outline(parseModule('try: a\nexcept A, b: c\nprint 1').body), 'try { a } except as b { c }; print');
});
