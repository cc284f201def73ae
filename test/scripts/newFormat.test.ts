/** Scaffolds a checkpoint format in a copy of the checkout, which must pass the checks that a format could fail. */
import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { root } from '../../scripts/root.ts';
import { checkoutCopy } from './checkoutCopy.ts';

/** Folders that formats do not need. */
const NOT_NEEDED = new Set(['fixtures', 'machines']);

/** The formats and their imports. */
const TYPES_OF_FORMATS = {
  extends: './tsconfig.json',
  compilerOptions: { incremental: false, tsBuildInfoFile: null },
  include: ['server/src/checkpoint', 'test/checkpoint/someName.test.ts'],
};

test('a scaffolded format passes all checks and is known everywhere', async (t) => {
  const { folder: copy, node } = await checkoutCopy(t, (file) => !NOT_NEEDED.has(path.basename(file)));

  const scaffolded = await node('scripts/newFormat.ts', 'some-name', 'sfx');
  assert.equal(scaffolded.exitCode, 0, scaffolded.all);
  const files = [...scaffolded.all.matchAll(/^wrote (.+)$/gm)].map(([, file = '']) => file);
  for (const file of ['docs/checkpoints.md', 'schemas/inspect.schema.json']) assert.ok(files.includes(file), file);

  await writeFile(path.join(copy, 'formats.json'), JSON.stringify(TYPES_OF_FORMATS));
  for (const { exitCode, all } of [
    await node('node_modules/typescript/bin/tsc', '--project', 'formats.json'),
    await node('node_modules/@biomejs/biome/bin/biome', 'ci', ...files),
    await node('--test', 'test/checkpoint/someName.test.ts'),
    await node('--test', '--test-name-pattern=/import/', 'test/architecture.test.ts'),
  ])
    assert.equal(exitCode, 0, all);
  assert.match(
    await readFile(path.join(copy, 'docs/checkpoints.md'), 'utf8'),
    /^\| Some Name file \| `\*\.sfx` \|.*\| no \|$/m,
  );

  // A search of a folder finds the file by its suffix and shows its contents under the format's title.
  const folder = path.join(copy, 'found');
  await cp(path.join(root, 'examples'), folder, { recursive: true });
  await writeFile(path.join(folder, 'model.sfx'), 'SOMENAME{"weight": ["float32", 3, 8]}');
  const shown = await node('server/src/cli.ts', 'inspect', '--no-live', folder);
  assert.match(shown.all, /model\.sfx\n {2}format {6}Some Name file, \d+ bytes\n[\s\S]*weight {2}float32 {2}3 × 8/);

  const again = await node('scripts/newFormat.ts', 'some-name', 'other');
  assert.match(again.all, /The format some-name already exists\./);
  const taken = await node('scripts/newFormat.ts', 'other-name', 'sfx');
  assert.match(taken.all, /Another format already uses the suffix sfx\./);
});

test('a format without a name or a suffix is not scaffolded', async () => {
  const { exitCode, all } = await execa(process.execPath, ['scripts/newFormat.ts', 'Name'], {
    cwd: root,
    all: true,
    reject: false,
  });
  assert.equal(exitCode, 1);
  assert.match(all, /npm run new-format -- some-name suffix/);
});
