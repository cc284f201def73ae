import assert from 'node:assert/strict';
import { lstat, mkdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { keepBefore, undoRepair, writeRepairRecord } from '../../server/src/repair/appliedRepair.ts';
import { bytesOfCopy, copyFolder } from '../../server/src/repair/copyFolder.ts';
import { cloning, placesIn } from '../../server/src/repair/environmentCopy.ts';
import { editedText, overlayProject } from '../../server/src/repair/overlay.ts';
import { commandIn, shellCommand } from '../../server/src/repair/place.ts';
import { folderWith } from '../cli/run.ts';

const { signal } = new AbortController();
const read = (...parts: readonly string[]) => readFile(path.join(...parts), 'utf8');

test('a change in the copy does not reach the original', async (t) => {
  const folder = await folderWith(t, { 'from/pkg/a.py': 'a = 1\n', 'from/pkg/lib.so': Buffer.alloc(2 ** 19, 'x') });
  await symlink('a.py', path.join(folder, 'from/pkg/inner.py'));
  await symlink(path.join('..', '..', 'elsewhere'), path.join(folder, 'from/pkg/outer'));
  await copyFolder(path.join(folder, 'from'), path.join(folder, 'to'), signal);
  await writeFile(path.join(folder, 'to/pkg/a.py'), 'a = 2\n');
  assert.equal(await read(folder, 'from/pkg/a.py'), 'a = 1\n');
  // Libraries are shared, because installers replace them.
  const [one, other] = await Promise.all(['from', 'to'].map((name) => stat(path.join(folder, name, 'pkg/lib.so'))));
  assert.equal(one?.ino, other?.ino);
  assert.equal(await readlink(path.join(folder, 'to/pkg/inner.py')), 'a.py');
  assert.equal(await readlink(path.join(folder, 'to/pkg/outer')), path.join(folder, 'elsewhere'));
});

test('a copy on the same disk takes the bytes of the files that are not shared', async (t) => {
  const folder = await folderWith(t, { 'from/pkg/a.py': 'a = 1\n', 'from/pkg/lib.so': Buffer.alloc(2 ** 19, 'x') });
  assert.equal(await bytesOfCopy(path.join(folder, 'from'), folder), 6);
});

test('what a folder has already is not overwritten', async (t) => {
  const folder = await folderWith(t, { 'one/pkg/a.py': '1\n', 'two/pkg/b.py': '2\n', 'two/other.py': '2\n' });
  for (const name of ['one', 'two']) await copyFolder(path.join(folder, name), path.join(folder, 'to'), signal);
  assert.equal(await read(folder, 'to/other.py'), '2\n');
  await assert.rejects(read(folder, 'to/pkg/b.py'), { code: 'ENOENT' });
});

test('a stopped copy ends', async (t) => {
  const folder = await folderWith(t, { 'from/a.py': '' });
  await assert.rejects(copyFolder(path.join(folder, 'from'), path.join(folder, 'to'), AbortSignal.abort()));
});

test('an overlay has the edited files, and links to all others', async (t) => {
  const folder = await folderWith(t, {
    'project/src/train.py': 'x = 1\n',
    'project/src/data.bin': 'data',
    'project/run.py': 'import src\n',
  });
  const overlay = path.join(folder, 'overlay');
  await overlayProject(path.join(folder, 'project'), new Map([['src/train.py', 'x = 2\n']]), overlay);
  assert.deepEqual(
    [await read(overlay, 'src/train.py'), await read(folder, 'project/src/train.py')],
    ['x = 2\n', 'x = 1\n'],
  );
  assert.equal((await lstat(path.join(overlay, 'src'))).isSymbolicLink(), false);
  assert.equal(await readlink(path.join(overlay, 'src/data.bin')), path.join(folder, 'project/src/data.bin'));
  assert.equal(await readlink(path.join(overlay, 'run.py')), path.join(folder, 'project/run.py'));
});

test('edits count characters, in any order and with any line endings', () => {
  const edit = (row: number, from: number, to: number, content: string) => ({
    cell: null,
    location: { row, column: from },
    end_location: { row, column: to },
    content,
  });
  assert.equal(
    editedText('\uFEFF# \u{1F600}\r\nx = "\u{1F600}".cuda()\r\n', [
      edit(1, 1, 1, 'import a\r\n'),
      edit(2, 9, 15, 'to(d)'),
    ]),
    '\uFEFFimport a\r\n# \u{1F600}\r\nx = "\u{1F600}".to(d)\r\n',
  );
});

test('an applied repair is undone, unless the environment has changed since', async (t) => {
  const folder = await folderWith(t, {
    'packages/a.py': 'old\n',
    'bin/python': '',
    'train.py': 'new\n',
  });
  const [packages, scripts, kept] = ['packages', 'bin', 'kept'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  const environment = { python: '', packages, scripts, programs: ['python'], before: { a: '1' }, after: null };
  const files = [{ path: path.join(folder, 'train.py'), text: 'old\n' }];
  await keepBefore(kept, { version: 1, environment, files });
  await writeFile(path.join(packages, 'a.py'), 'new\n');
  await mkdir(path.join(packages, 'b'));
  await writeFile(path.join(scripts, 'b'), '');
  await writeRepairRecord(kept, { version: 1, environment: { ...environment, after: { a: '2' } }, files });

  await assert.rejects(
    undoRepair(kept, async () => ({ a: '3' })),
    /changed since/,
  );
  assert.equal(await read(packages, 'a.py'), 'new\n');
  await undoRepair(kept, async () => ({ a: '2' }));
  assert.deepEqual([await read(packages, 'a.py'), await read(folder, 'train.py')], ['old\n', 'old\n']);
  for (const gone of [path.join(packages, 'b'), path.join(scripts, 'b')]) await assert.rejects(stat(gone));
  await assert.rejects(
    undoRepair(kept, async () => ({})),
    /no repair/,
  );
});

test('a copy has its parts where Windows and Linux have them', () => {
  assert.deepEqual(
    [placesIn('C:\\cache\\copy', undefined, path.win32), placesIn('/cache/copy', ['python3.11'], path.posix)].map(
      ({ python, packages, scripts, variables }) => [python, packages, scripts, variables.PATH?.slice(0, 25)],
    ),
    [
      [
        'C:\\cache\\copy\\Scripts\\python.exe',
        'C:\\cache\\copy\\Lib\\site-packages',
        'C:\\cache\\copy\\Scripts',
        `C:\\cache\\copy\\Scripts;${process.env.PATH}`.slice(0, 25),
      ],
      [
        '/cache/copy/bin/python',
        '/cache/copy/lib/python3.11/site-packages',
        '/cache/copy/bin',
        `/cache/copy/bin:${process.env.PATH}`.slice(0, 25),
      ],
    ],
  );
});

test('conda copies its environments itself', () => {
  assert.equal(
    cloning('/opt/conda/envs/a', '/cache/copy').join(' '),
    'conda create --yes --quiet --prefix /cache/copy --clone /opt/conda/envs/a',
  );
});

const WINDOWS = {
  python: 'C:\\project\\.venv\\Scripts\\python.exe',
  copy: { python: 'C:\\copy\\Scripts\\python.exe', scripts: 'C:\\copy\\Scripts' },
};
const LINUX = { python: '/project/.venv/bin/python', copy: { python: '/copy/bin/python', scripts: '/copy/bin' } };
const THERE = ['C:\\copy\\Scripts\\python.exe', '/copy/bin/python', '/copy/bin/torchrun'];

for (const [system, command, expected] of [
  [WINDOWS, 'C:\\project\\.venv\\Scripts\\python.exe train.py', 'C:\\copy\\Scripts\\python.exe train.py'],
  [WINDOWS, 'python train.py', 'C:\\copy\\Scripts\\python.exe train.py'],
  [WINDOWS, 'python.exe -m train', 'C:\\copy\\Scripts\\python.exe -m train'],
  [WINDOWS, 'C:\\tools\\make.exe train', 'C:\\tools\\make.exe train'],
  [LINUX, '/project/.venv/bin/python3.11 train.py', '/copy/bin/python train.py'],
  [LINUX, '/project/.venv/bin/torchrun train.py', '/copy/bin/torchrun train.py'],
  [LINUX, 'torchrun train.py', 'torchrun train.py'],
  [LINUX, './run.sh', './run.sh'],
] as const)
  test(`in a copy, ${command} is ${expected}`, () => {
    const paths = system === WINDOWS ? path.win32 : path.posix;
    const isThere = (file: string) => THERE.includes(file);
    assert.equal(commandIn(command.split(' '), system.python, system.copy, isThere, paths).join(' '), expected);
  });

test('a program of the environment that the copy lacks is not replaced', () => {
  const command = ['C:\\project\\.venv\\Scripts\\torchrun.exe', 'train.py'];
  assert.throws(() => commandIn(command, WINDOWS.python, WINDOWS.copy, () => false, path.win32), /torchrun\.exe/);
});

test('a command of a shell is started as on its system', () => {
  assert.deepEqual(shellCommand('python a.py', 'win32'), ['cmd', '/d', '/s', '/c', 'python a.py']);
  assert.deepEqual(shellCommand('python a.py', 'linux'), ['/bin/sh', '-c', 'python a.py']);
});
