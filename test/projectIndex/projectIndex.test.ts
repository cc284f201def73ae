import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import type { DependencyRecorder, ProjectIndex } from '../../server/src/projectIndex/projectIndex.ts';
import { createProjectIndex } from '../../server/src/projectIndex/projectIndex.ts';
import { summarize } from '../../server/src/projectIndex/summarize.ts';
import { at, filesOf } from './files.ts';

const AVAILABLE = 'torch.cuda.is_available()';
const GUARDED = (imports: string, code: string) => `import torch\n${imports}\nif ${AVAILABLE}:\n    ${code}\n`;

/** The program of a file with access to the rest of its project. */
function viewOf(texts: Record<string, string>, name: string, index: ProjectIndex, recorder?: DependencyRecorder) {
  const source = filesOf(texts).read(at(name));
  assert.ok(source);
  return index.viewFor(parseProgram(source), recorder);
}

/** The evidence shared by all uses of `function` in `lib.py`, given these other files. */
const ESTABLISHED: readonly (readonly [
  what: string,
  lib: string,
  name: string,
  others: Readonly<Record<string, string>>,
  level: 'none' | 'weak' | 'guard',
])[] = [
  ['no use', 'def f(): ...', 'f', {}, 'none'],
  ['a guarded call', 'def f(): ...', 'f', { 'a.py': GUARDED('from lib import f', 'f()') }, 'guard'],
  ['a call through the module', 'def f(): ...', 'f', { 'a.py': GUARDED('import lib as l', 'l.f()') }, 'guard'],
  [
    'one of two calls',
    'def f(): ...',
    'f',
    { 'a.py': GUARDED('from lib import f', 'f()'), 'b.py': 'import lib\nlib.f()' },
    'none',
  ],
  [
    'a caller of the caller',
    'def f(): ...',
    'f',
    { 'a.py': 'from lib import f\ndef g():\n    f()', 'b.py': GUARDED('from a import g', 'g()') },
    'guard',
  ],
  [
    'a use unless the user opts out, in a function that nothing calls',
    'def f(): ...',
    'f',
    { 'a.py': 'from lib import f\ndef g():\n    if not args.no_cuda:\n        f()' },
    'weak',
  ],
  ['a cycle of files', 'import a\ndef f():\n    a.g()', 'f', { 'a.py': 'import lib\ndef g():\n    lib.f()' }, 'none'],
  [
    'a cycle of files entered by a guarded call',
    'import a\ndef f():\n    a.g()',
    'f',
    { 'a.py': 'import lib\ndef g():\n    lib.f()', 'b.py': GUARDED('import a', 'a.g()') },
    'guard',
  ],
  [
    'a function re-exported under another name',
    'def f(): ...',
    'f',
    { 'pkg/__init__.py': 'from lib import f as run', 'b.py': GUARDED('from pkg import run', 'run()') },
    'guard',
  ],
  [
    'a process in another file',
    'def f(): ...',
    'f',
    { 'a.py': GUARDED('from lib import f\nfrom multiprocessing import Process', 'Process(target=f).start()') },
    'guard',
  ],
  [
    'a method of an object',
    'class C:\n    def f(self): ...',
    'C.f',
    { 'a.py': GUARDED('from lib import C', 'c = C()\n    c.f()') },
    'guard',
  ],
  [
    'a method without visible callers, of an object created under a guard',
    'class C:\n    def forward(self): ...',
    'C.forward',
    { 'a.py': GUARDED('from lib import C', 'net = C()') },
    'guard',
  ],
  [
    'a class that is only named',
    'class C:\n    def f(self): ...',
    'C.__init__',
    { 'a.py': 'from lib import C\ndef f(c: C):\n    return isinstance(c, C)' },
    'none',
  ],
  [
    'a class that another derives from',
    'class C:\n    def __init__(self): ...',
    'C.__init__',
    { 'a.py': `${GUARDED('from lib import C', 'C()')}class D(C): ...\n` },
    'none',
  ],
  [
    'the same name in another file',
    'def f(): ...',
    'f',
    { 'other/lib.py': 'def f(): ...', 'other/a.py': GUARDED('from lib import f', 'f()') },
    'none',
  ],
  [
    'unreachable code',
    'def f(): ...',
    'f',
    { 'a.py': 'from lib import f\ndef g():\n    return\n    f()', 'b.py': GUARDED('import lib', 'lib.f()') },
    'guard',
  ],
];

describe('evidence shared by all uses of a function', () => {
  for (const [what, lib, name, others, level] of ESTABLISHED)
    it(`${what}: ${level}`, () => {
      const texts = { ...others, 'lib.py': lib };
      const view = viewOf(texts, 'lib.py', createProjectIndex(filesOf(texts)));
      assert.equal(view.atEveryUse(name).evidence.level, level);
    });
});

it('summaries are plain data', () => {
  const text = `from lib import f\nOK = torch.cuda.is_available()\ndef g():\n    f("a.pt")\n    torch.save(1, "b.pt")\ng()\n`;
  const source = filesOf({ 'a.py': `import torch\n${text}` }).read(at('a.py'));
  assert.ok(source);
  const summary = {
    ...summarize(
      () => parseProgram(source),
      (dotted) => dotted.startsWith('lib'),
      () => text,
    ),
  };
  assert.deepEqual(JSON.parse(JSON.stringify(summary)), summary);
  assert.deepEqual(
    summary.outside.map(({ target, fileNames }) => [target, fileNames]),
    [['lib.f', { 0: 'a.pt' }]],
  );
  assert.equal(summary.exports.OK?.whenTrue.level, 'guard');
  assert.deepEqual(
    summary.saves.map(({ fileName }) => fileName),
    ['b.pt'],
  );
});

describe('an index that tracks its files', () => {
  const start = () =>
    ({ 'lib.py': 'def f(): ...\n', 'a.py': GUARDED('from lib import f', 'f()') }) as Record<string, string>;
  const levelIn = (texts: Record<string, string>, index: ProjectIndex) =>
    viewOf(texts, 'lib.py', index).atEveryUse('f').evidence.level;

  it('answers from an edited file', () => {
    const texts = start();
    const index = createProjectIndex(filesOf(texts));
    assert.equal(levelIn(texts, index), 'guard');
    texts['a.py'] = 'import torch\nfrom lib import f\nf()\n';
    const { summaries, imports } = index.update([at('a.py')]);
    assert.deepEqual([...summaries], [at('a.py')]);
    assert.equal(imports, false);
    assert.equal(levelIn(texts, index), 'none');
  });

  it('reports no change for an edit that changes no answer', () => {
    const texts = start();
    const index = createProjectIndex(filesOf(texts));
    levelIn(texts, index);
    texts['a.py'] += '# a remark\n';
    const { summaries, imports, fileNames } = index.update([at('a.py')]);
    assert.deepEqual([[...summaries], imports, fileNames], [[], false, false]);
  });

  it('answers from created and without deleted files', () => {
    const texts = start();
    const index = createProjectIndex(filesOf(texts));
    assert.equal(levelIn(texts, index), 'guard');
    texts['b.py'] = 'import lib\nlib.f()\n';
    assert.equal(index.update([at('b.py')]).imports, true);
    assert.equal(levelIn(texts, index), 'none');
    delete texts['b.py'];
    assert.equal(index.update([at('b.py')]).imports, true);
    assert.equal(levelIn(texts, index), 'guard');
  });

  it('reports which files an answer depends on', () => {
    const texts: Record<string, string> = { ...start(), 'c.py': 'import os\n', 'd.py': 'x = 1\n' };
    const index = createProjectIndex(filesOf(texts));
    const questions = new Set<string>();
    viewOf(texts, 'lib.py', index, {
      summary: (path) => questions.add(path),
      importers() {},
      fileNames() {},
    }).atEveryUse('f');
    assert.deepEqual([...questions], [at('a.py')]);
  });
});
