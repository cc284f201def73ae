import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findFiles } from '../../server/src/files/findFiles.ts';
import { slashed } from '../../server/src/files/paths.ts';
import { folderWith } from '../cli/run.ts';

async function folder(context: TestContext, ...names: string[]): Promise<string> {
  return folderWith(context, Object.fromEntries(names.map((name) => [name, ''])));
}

async function found(root: string, ...paths: string[]): Promise<string[]> {
  const { files } = await findFiles(paths.map((path) => join(root, path)));
  return files.map((file) => slashed(file.slice(root.length + 1)));
}

test('Python files and notebooks are found, other files are not', async (t) => {
  const root = await folder(t, 'b.py', 'a.ipynb', 'c.pyw', 'd.pyi', 'e.txt', 'sub/.hidden/f.py', 'x.py/g.py');
  assert.deepEqual(await found(root, '.'), ['a.ipynb', 'b.py', 'c.pyw', 'sub/.hidden/f.py', 'x.py/g.py']);
});

test('foreign folders are skipped unless named', async (t) => {
  const root = await folder(
    t,
    'env/pyvenv.cfg',
    'env/a.py',
    'node_modules/a.py',
    '.venv/a.py',
    'x/.ipynb_checkpoints/a.ipynb',
    'b.py',
  );
  assert.deepEqual(await found(root, '.'), ['b.py']);
  assert.deepEqual(await found(root, 'node_modules', 'env'), ['env/a.py', 'node_modules/a.py']);
});

test('files that are named and found again are listed once', async (t) => {
  const root = await folder(t, 'a.py', 'sub/b.py', 'script');
  assert.deepEqual(await found(root, '.', 'sub', 'sub/b.py', 'script', './a.py'), ['a.py', 'script', 'sub/b.py']);
});

test('nested .gitignore files and negations work as in Git', async (t) => {
  const files = {
    '.gitignore': '# all\n*.gen.py\n/build/\n!keep.gen.py\nsub/deep/*\n',
    'sub/.gitignore': '!wanted.gen.py\n/local.py\n',
    '.git/info/exclude': 'private/\n',
  };
  const names =
    'a.py a.gen.py keep.gen.py build/a.py sub/build/a.py sub/wanted.gen.py sub/local.py sub/x/local.py sub/deep/a.py private/a.py';
  const root = await folderWith(t, { ...Object.fromEntries(names.split(' ').map((name) => [name, ''])), ...files });
  const expected = ['a.py', 'keep.gen.py', 'sub/build/a.py', 'sub/wanted.gen.py', 'sub/x/local.py'];
  assert.deepEqual(await found(root, '.'), expected);
  // In a subfolder, the ignore files above apply too.
  assert.deepEqual(
    await found(root, 'sub'),
    expected.filter((name) => name.startsWith('sub/')),
  );
  // A folder named explicitly is included.
  assert.deepEqual(await found(root, 'build'), ['build/a.py']);
});

test('Git itself agrees', async (t) => {
  const names = [
    'a.py',
    'logs/a.py',
    'x/logs/b.py',
    'x/y.tmp.py',
    'x/data/a.py',
    'x/data/keep/b.py',
    'd e.py',
    'w/#.py',
    'w/A.py',
  ];
  const root = await folderWith(t, {
    ...Object.fromEntries(names.map((name) => [name, ''])),
    '.gitignore': 'logs/\n*.tmp.py\nx/data/**\n!x/data/keep/\n!x/data/keep/**\nd\\ e.py\n\\#.py\n',
    'w/.gitignore': '*\n!.gitignore\n!A.py\n',
  });
  execFileSync('git', ['init', '-q'], { cwd: root });
  const listed = execFileSync('git', ['ls-files', '--others', '--exclude-standard', '-z', '*.py'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.deepEqual(await found(root, '.'), listed.split('\0').filter(Boolean).sort());
});

test('links to files are followed, links to folders are not', async (t) => {
  const root = await folder(t, 'real/a.py');
  await symlink('real', join(root, 'linked'));
  await symlink('..', join(root, 'real/up'));
  await symlink('real/a.py', join(root, 'b.py'));
  await symlink('nowhere', join(root, 'c.py'));
  assert.deepEqual(await found(root, '.'), ['b.py', 'real/a.py']);
});

test('unreadable paths are reported', async (t) => {
  const root = await folder(t, 'a.py');
  const { files, troubles } = await findFiles([join(root, 'none'), join(root, 'a.py', 'x')]);
  assert.deepEqual(files, []);
  assert.equal(troubles.length, 2);
});
