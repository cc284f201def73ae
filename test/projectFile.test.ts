/** Files that a project brings: special files and huge ones stop nothing and are refused with a reason. */
import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { execa } from 'execa';
import { root } from '../scripts/root.ts';
import { projectText, readProjectFile, Unreadable } from '../server/src/projectFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'gd-project-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const skip = process.platform === 'win32' && 'There are no pipes in folders on Windows.';

async function makePipe(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await execa('mkfifo', [path]);
}

const MAKE: Readonly<Record<string, (path: string) => unknown>> = {
  pipe: makePipe,
  'link to a pipe': async (path) => {
    await makePipe(`${path}.pipe`);
    symlinkSync(`${path}.pipe`, path);
  },
  'endless device': (path) => symlinkSync('/dev/zero', path),
  'sparse file of 3 GiB': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 3 * 2 ** 30);
  },
};

before(async () => {
  if (skip) return;
  for (const [kind, make] of Object.entries(MAKE)) await make(join(folder, kind));
});

for (const kind of Object.keys(MAKE))
  test(`a ${kind} is refused at once`, { skip, timeout: 5000 }, () => {
    for (const as of ['settings', 'program', 'notebook'] as const)
      assert.throws(() => readProjectFile(join(folder, kind), as), Unreadable);
  });

test('a file without a size is refused', { skip: process.platform !== 'linux' }, () => {
  assert.throws(() => readProjectFile('/proc/self/maps', 'program'), Unreadable);
});

test('a plain file, an empty one and a link to one are read whole', { skip }, () => {
  writeFileSync(join(folder, 'plain'), 'torch>=2\n');
  writeFileSync(join(folder, 'empty'), '');
  symlinkSync('plain', join(folder, 'link'));
  for (const name of ['plain', 'link'])
    assert.equal(readProjectFile(join(folder, name), 'requirements').toString(), 'torch>=2\n');
  assert.equal(projectText(join(folder, 'empty'), 'settings'), '');
  assert.equal(projectText(join(folder, 'absent'), 'settings'), undefined);
});

/** Modules that open a file in another way, because no project brings it, or because they refuse special files too. */
const OTHER_READERS: readonly string[] = [
  // The product's own tables, pages, caches and records.
  ...['dataFiles.ts', 'documentation.ts', 'files/cache.ts', 'stack/runtime/runtimeCache.ts'],
  'checkpoint/formats/hdf5/isolated.ts',
  // Files that the user names, which may be a pipe of the shell.
  ...['cli/describedMachine.ts', 'cli/explain.ts', 'cli/stackCompare.ts', 'cli/terminal.ts'],
  // Files of the system.
  'stack/machine/machine.ts',
  // Checkpoints are read in pieces, by a function that refuses special files.
  'checkpoint/bytes.ts',
  // A repair changes files that a check has read before, and scripts of an environment.
  ...['repair/appliedRepair.ts', 'repair/environmentCopy.ts', 'repair/place.ts'],
];

test('no other module opens the files of a project', () => {
  const sources = join(root, 'server/src');
  const opening = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') && !name.startsWith('browser/') && name !== 'projectFile.ts')
    .filter((name) =>
      /import \{[^}]*\b(?:readFile|readFileSync|createReadStream|open|openSync)\b[^}]*\} from 'node:fs/.test(
        readFileSync(join(sources, name), 'utf8').replaceAll("'node:fs'", "'node:fs/'"),
      ),
    );
  assert.deepEqual(opening.toSorted(), OTHER_READERS.toSorted());
});

/** Files that `check` reads besides programs. */
const BROUGHT = [
  '.gpu-doctor.yaml',
  'pyproject.toml',
  'requirements.txt',
  'ruff.toml',
  '.editorconfig',
  '.gitignore',
  '.gitmodules',
  'LICENSE',
  'other.py',
  'book.ipynb',
  'Dockerfile',
  'model.pt',
];

const CLI = join(root, 'server/src/cli.ts');

for (const kind of Object.keys(MAKE))
  test(`\`check\` ends where every file of a project is a ${kind}`, { skip, timeout: 60_000 }, async () => {
    for (const names of [BROUGHT.slice(0, 1), BROUGHT.slice(1)]) {
      const project = mkdtempSync(join(folder, 'project-'));
      for (const name of names) await MAKE[kind]?.(join(project, name));
      writeFileSync(join(project, 'main.py'), 'import torch\nmodel = torch.load("model.pt")\n');
      const { exitCode, all } = await execa(process.execPath, [CLI, 'check', '.'], {
        cwd: project,
        all: true,
        reject: false,
        timeout: 30_000,
      });
      assert.equal(exitCode, 2, all);
      assert.match(all, /is a (pipe|device), not a regular file|is too large/);
      assert.doesNotMatch(all, /please report this/);
    }
  });
