/** Possible locations of projects: folders with odd names, paths of any length, read-only folders. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { folderWith, run } from '../cli/run.ts';
import { diagnosedAs, startClient } from '../lsp/client.ts';

const posix = { skip: process.platform === 'win32' };
const LOAD = 'import torch\n\nstate = torch.load("größe.pt")\n';

const ODD_NAMES = [
  'two words',
  'déjà vu 模型 🔥',
  // The same letters, decomposed as macOS stores them.
  'déjà'.normalize('NFD'),
  '100% #1 ?a=b&c',
  '%20',
  '[a] {b} (c) *',
  `it's "quoted"`,
  '-dash',
  'back\\slash',
  'c:',
  'line\nbreak',
];

const inOddPlaces = async (t: TestContext) => {
  const root = await folderWith(t, {});
  for (const name of ODD_NAMES) {
    await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, name, `${name}.py`), LOAD);
    await copyFile(join(import.meta.dirname, '../rules/checkpoints/runs_code.pt'), join(root, name, `${name}.pt`));
  }
  return root;
};

test('files with odd names are found, shown, fixed and inspected', posix, async (t) => {
  const root = await inOddPlaces(t);
  const found = await run(['check', '--output-format', 'json'], { cwd: root });
  const names = JSON.parse(found.stdout).map(({ filename }: { filename: string }) => filename);
  assert.deepEqual(names.sort(), ODD_NAMES.map((name) => join(root, name, `${name}.py`)).sort());
  const text = await run(['check'], { cwd: root });
  assert.equal(text.stdout.match(/: GPU101 /g)?.length, ODD_NAMES.length);
  const sarif = JSON.parse((await run(['check', '--output-format', 'sarif'], { cwd: root })).stdout);
  const addresses: string[] = sarif.runs[0].results.map(
    (result: { locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] }) =>
      result.locations[0].physicalLocation.artifactLocation.uri,
  );
  assert.deepEqual(addresses.map(decodeURIComponent).sort(), ODD_NAMES.map((name) => `${name}/${name}.py`).sort());
  const inspected = JSON.parse(
    (await run(['inspect', '.', '--output-format', 'json', '--no-live'], { cwd: root })).stdout,
  );
  const paths = inspected.map(({ path, safety }: { path: string; safety: { verdict: string } }) => [
    path,
    safety.verdict,
  ]);
  assert.deepEqual(paths.sort(), ODD_NAMES.map((name) => [join(name, `${name}.pt`), 'dangerous']).sort());
  assert.match((await run(['check', '--fix'], { cwd: root })).stdout, /\((\d+) fixed, 0 remaining\)/);
  for (const name of ODD_NAMES) assert.match(await readFile(join(root, name, `${name}.py`), 'utf8'), /map_location/);
});

test('the server finds files with odd names by their URIs', {
  ...posix,
  timeout: 180_000,
}, async (t) => {
  const root = await inOddPlaces(t);
  await writeFile(join(root, '.gpu-doctor.yaml'), 'ignore: [GPU2]\n');
  const client = await startClient(t, { workspaceFolders: [{ uri: pathToFileURL(root).href, name: 'odd' }] });
  for (const name of ODD_NAMES) {
    const uri = pathToFileURL(join(root, name, 'script.py')).href;
    // The settings apply there, and the checkpoint beside it is read: it was saved from the CPU.
    client.open(uri, `import torch\nx = torch.ones(1).cuda()\ny = torch.load(${JSON.stringify(`${name}.pt`)})\n`);
    await diagnosedAs(client, uri);
    const other = pathToFileURL(join(root, name, 'other.py')).href;
    client.open(other, 'import torch\ny = torch.load("none.pt")\n');
    await diagnosedAs(client, other, 'GPU101');
  }
});

test('a path that is too long for the system is reported, and other files are checked', posix, async (t) => {
  const root = await folderWith(t, { 'a.py': LOAD });
  // Each step is short; the whole path exceeds the maximum length that a program may pass at once.
  const dig = `for i in $(seq 25); do mkdir ${'d'.repeat(200)} && cd ${'d'.repeat(200)} || exit 1; done; echo 'x = 1' > b.py`;
  execFileSync('bash', ['-c', dig], { cwd: root });
  try {
    const deep = join(root, ...Array<string>(10).fill('d'.repeat(200)));
    await writeFile(join(deep, 'c.py'), LOAD);
    const { status, stdout, stderr } = await run(['check', '--no-cache'], { cwd: root });
    assert.equal(status, 2);
    assert.match(stderr, /has a name that is too long\n$/);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
    assert.match(stdout, /^a\.py:3:9/m);
    assert.match(stdout, /c\.py:3:9/);
    assert.match((await run(['check', join(deep, 'c.py'), '--fix'], { cwd: deep })).stdout, /1 fixed/);
  } finally {
    // Node's own `rm` cannot delete folders this deep.
    execFileSync('rm', ['-rf', join(root, 'd'.repeat(200))]);
  }
});

test('a deleted working directory is reported', posix, async (t) => {
  const root = await folderWith(t, {});
  for (const args of [['check'], ['stack'], ['inspect', 'a.pt'], ['explain', 'a.txt']]) {
    const cwd = join(root, 'gone');
    await mkdir(cwd);
    const running = run(args, { cwd });
    await rm(cwd, { recursive: true });
    const { status, stderr } = await running;
    assert.deepEqual([status, stderr], [2, 'gpu-doctor: the current folder has been deleted\n'], args[0]);
  }
});
