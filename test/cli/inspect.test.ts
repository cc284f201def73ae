import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { safetensorsOf } from '../checkpoint/safetensorsWriter.ts';
import { folderWith, run } from './run.ts';

const FIXTURES = join(import.meta.dirname, '../checkpoint/fixtures');
const fixture = (name: string) => readFileSync(join(FIXTURES, 'torch', name));

test('shows the summary and the tensors of a checkpoint', async (t) => {
  const cwd = await folderWith(t, { 'a.pt': fixture('cuda0.pt') });
  const { status, stdout, stderr } = await run(['inspect', 'a.pt', '--no-live'], { cwd });
  assert.equal(stderr, '');
  assert.equal(status, 0);
  assert.match(stdout, /^a\.pt\n {2}format {6}PyTorch checkpoint, 3\.11 KiB\n/);
  assert.match(stdout, /devices {5}cuda:0\n/);
  assert.match(stdout, /head\.weight +float32 +3 × 8 +cuda:0\n/);
});

test('prints JSON of several files, and exits with 1 if one has a problem', async (t) => {
  const cwd = await folderWith(t, {
    'weights/a.pt': fixture('cpu.pt'),
    'weights/deep/b.pth': '<!doctype html>',
    'weights/notes.txt': '',
  });
  const { status, stdout } = await run(['inspect', 'weights', '--output-format', 'json'], { cwd });
  assert.equal(status, 1);
  const [a, b, ...others] = JSON.parse(stdout);
  assert.deepEqual(others, []);
  assert.deepEqual([a.path, a.format, a.devices, a.parameters], [join('weights', 'a.pt'), 'torch', ['cpu'], 51]);
  assert.deepEqual([b.format, b.devices, b.problems.length], ['html', null, 1]);
});

test('files of a folder with ambiguous names are inspected', async (t) => {
  const model = fixture('cpu.pt');
  const cwd = await folderWith(t, {
    'weights/a.th': model,
    'weights/b.dat': model,
    'weights/c': model,
    'weights/d.sav': Buffer.from('80044b012e', 'hex'),
    'weights/notes.dat': 'one line of text',
    'weights/LICENSE': 'Some words',
    'weights/table.dat': Buffer.from('0001020304', 'hex'),
    'weights/readme.md': model,
  });
  const { stdout } = await run(['inspect', 'weights', '--output-format', 'json', '--no-live'], { cwd });
  const paths = JSON.parse(stdout).map(({ path }: { path: string }) => path);
  assert.deepEqual(
    paths,
    ['a.th', 'b.dat', 'c', 'd.sav'].map((name) => join('weights', name)),
  );
});

test('names what prevents loading with weights_only', async (t) => {
  const cwd = await folderWith(t, {
    'a.pt': fixture('namespace.pt'),
    'b.pt': fixture('cpu.pt'),
    'c.pt': fixture('whole_own.pt'),
  });
  const { stdout } = await run(['inspect', 'a.pt', 'b.pt', 'c.pt', '--output-format', 'json', '--no-live'], { cwd });
  const [a, b] = JSON.parse(stdout).map(({ weightsOnly }: { weightsOnly: object }) => weightsOnly);
  const nothing = { torch: '2.15', opcodes: [] };
  const recipe = 'import torch; import argparse; torch.serialization.add_safe_globals([argparse.Namespace])';
  assert.deepEqual(a, { ...nothing, loads: false, globals: ['argparse.Namespace'], recipe });
  assert.deepEqual(b, { ...nothing, loads: true, globals: [], recipe: null });
  const { stdout: text } = await run(['inspect', 'a.pt', 'c.pt', '--no-live'], { cwd });
  assert.match(text, /unless `torch\.serialization\.add_safe_globals` allows them/);
  assert.equal(text.split(recipe).length, 2, 'one of the two is to be trusted');
  assert.match(text, /imports {5}__main__\.Net, torch\.nn\.modules\.container\.Sequential, .*Linear\n/);
});

test('starts with whether a file loads here, and whether it is safe', async (t) => {
  const harmful = Buffer.from('cos\nsystem\n(S"true"\ntR.');
  const cwd = await folderWith(t, {
    'a.gguf': readFileSync(join(import.meta.dirname, '../checkpoint/fixtures/others/tiny.gguf')),
    'b.pkl': harmful,
  });
  const { status, stdout } = await run(['inspect', 'a.gguf', 'b.pkl'], { cwd });
  assert.equal(status, 1);
  assert.match(stdout, /^Exit status 1: .*(?:a\.gguf|b\.pkl) \([\w ]+\)/m);
  assert.match(stdout, /^a\.gguf\n {2}here {8}loads: .*\n {2}format/);
  assert.match(stdout, /\n {2}safety {6}harmless: /);
  assert.match(stdout, /b\.pkl\n {2}here {8}runs code: Unpickling it imports `os\.system`.*\n/);
  assert.match(stdout, /\n {2}safety {6}dangerous: Unpickling it imports `os\.system`/);
  const json = await run(['inspect', 'b.pkl', '--output-format', 'json'], { cwd });
  assert.equal(JSON.parse(json.stdout)[0].here.outlook, 'runs-code');
  const without = await run(['inspect', 'b.pkl', '--output-format', 'json', '--no-live'], { cwd });
  assert.equal(JSON.parse(without.stdout)[0].here, null);
});

test('--fail-on distinguishes malware, incomplete files and files that need trust', async (t) => {
  const cwd = await folderWith(t, {
    'harmless.pt': fixture('cpu.pt'),
    'plain.pt': fixture('namespace.pt'),
    'trust.pt': fixture('whole_own.pt'),
    'cut.pt': fixture('cpu.pt').subarray(0, 1000),
    'pointer.pt': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n',
    'malware.pt': Buffer.from('cos\nsystem\n(S"true"\ntR.'),
  });
  const failing = async (...levels: string[]) => {
    const options = levels.flatMap((level) => ['--fail-on', level]);
    const { status, stdout } = await run(['inspect', '.', '--no-live', ...options], { cwd });
    const [, reasons = ''] = /^Exit status 1: (.*)$/m.exec(stdout) ?? [];
    assert.equal(status, reasons === '' ? 0 : 1);
    return reasons.replaceAll('.pt', '');
  };
  assert.equal(await failing(), 'cut (not checked), malware (dangerous), pointer (not checked) and 1 more');
  assert.equal(await failing('needs-trust'), 'malware (dangerous), trust (needs trust)');
  assert.equal(await failing('suspicious'), 'malware (dangerous)');
  assert.equal(await failing('not-checked'), 'cut (not checked), pointer (not checked)');
  assert.equal(
    await failing('dangerous', 'not-checked'),
    'cut (not checked), malware (dangerous), pointer (not checked)',
  );
  await rm(join(cwd, 'malware.pt'));
  assert.equal(await failing('suspicious'), '');
  const { status, stderr } = await run(['inspect', 'trust.pt', '--fail-on', 'trust'], { cwd });
  assert.equal(status, 2);
  assert.match(stderr, /is not one of needs-trust, suspicious, dangerous, not-checked/);
});

test('JSON has the levels of the text', async (t) => {
  const cwd = await folderWith(t, {
    'a.pt': fixture('cpu.pt'),
    'b.pt': fixture('namespace.pt'),
    'c.pt': fixture('whole_own.pt'),
    'd.gguf': readFileSync(join(FIXTURES, 'others/tiny.gguf')),
    'e.pt': '',
  });
  const { stdout } = await run(['inspect', '.', '--output-format', 'json', '--no-live'], { cwd });
  const verdicts = JSON.parse(stdout).map(({ safety }: { safety: { verdict: string } }) => safety.verdict);
  assert.deepEqual(verdicts, ['harmless', 'harmless', 'needs-trust', 'harmless', 'not-checked']);
});

test('shows the effects of unpickling without running anything', async (t) => {
  const harmful = Buffer.from('cos\nsystem\n(S"touch done"\ntR.');
  const cwd = await folderWith(t, { 'a.pt': fixture('namespace.pt'), 'b.pkl': harmful, 'c.txt': 'text' });
  const { stdout } = await run(['inspect', 'a.pt', 'b.pkl', 'c.txt', '--no-live', '--trace'], { cwd });
  assert.match(
    stdout,
    /_\d+ = torch\._utils\._rebuild_tensor_v2\(persistent_load\(\("storage", torch\.FloatStorage, "\d+", "cpu", \d+\)\)/,
  );
  assert.match(stdout, /_\d+ = argparse\.Namespace/);
  assert.match(stdout, / {2}pickle\n {2}_1 = os\.system\("touch done"\)\n {2}return _1\n/);
  assert.match(stdout, /It contains no pickle/);
  assert.deepEqual((await readdir(cwd)).sort(), ['a.pt', 'b.pkl', 'c.txt']);
});

test('a missing file is named, and the others are shown', async (t) => {
  const cwd = await folderWith(t, { 'a.pt': fixture('cpu.pt') });
  const { status, stdout, stderr } = await run(['inspect', 'gone.pt', 'a.pt'], { cwd });
  assert.equal(status, 2);
  assert.equal(stderr, 'error: gone.pt does not exist\n');
  assert.match(stdout, /^a\.pt\n/);
});

test('without a path, it asks for one', async (t) => {
  const { status, stderr } = await run(['inspect'], { cwd: await folderWith(t, {}) });
  assert.equal(status, 2);
  assert.match(stderr, /needs a path/);
});

test('files of a folder that belong together are shown once', async (t) => {
  const content = (name: string) => readFileSync(join(import.meta.dirname, '../checkpoint/fixtures', name));
  const shards = [
    'model.safetensors.index.json',
    'model-00001-of-00002.safetensors',
    'model-00002-of-00002.safetensors',
  ];
  const cwd = await folderWith(t, {
    ...Object.fromEntries(shards.map((name) => [`all/${name}`, content(`others/${name}`)])),
    'all/saved/saved_model.pb': content('tensorflow/module/saved_model.pb'),
    'all/saved/variables/variables.index': content('tensorflow/module/variables/variables.index'),
    'all/ckpt-1.index': content('tensorflow/ckpt-1.index'),
    'all/ckpt-1.data-00000-of-00001': content('tensorflow/ckpt-1.data-00000-of-00001'),
    'all/other.index': 'no table',
  });
  const { stdout } = await run(['inspect', 'all', '--output-format', 'json'], { cwd });
  const shown = JSON.parse(stdout).map(({ path, format }: { path: string; format: string }) => [path, format]);
  assert.deepEqual(shown, [
    [join('all', 'ckpt-1.index'), 'tensorflow-checkpoint'],
    [join('all', 'model.safetensors.index.json'), 'safetensors-index'],
    [join('all', 'saved'), 'saved-model'],
  ]);
});

test('compares two checkpoints, including a folder of shards, and the exit status shows whether they differ', async (t) => {
  const cwd = await folderWith(t, {
    'a.pt': fixture('cpu.pt'),
    'b.pt': fixture('cuda0.pt'),
    'c.pt': fixture('training.ckpt'),
    'model/model.safetensors.index.json': JSON.stringify({
      weight_map: { a: 'one.safetensors', b: 'two.safetensors' },
    }),
    'model/one.safetensors': safetensorsOf({ a: [2] }),
    'model/two.safetensors': safetensorsOf({ b: [3] }),
    'whole.safetensors': safetensorsOf({ a: [2], b: [4], c: [1] }),
    'notes.pt': 'some words',
  });
  const compare = (...args: string[]) => run(['inspect', ...args], { cwd });
  const same = await compare('a.pt', '--compare', 'b.pt');
  assert.deepEqual([same.status, same.stderr], [0, '']);
  assert.match(same.stdout, /The models have the same tensors \(9\), shapes and types\. Values are not compared\./);
  const prefixed = await compare('a.pt', '--compare', 'c.pt');
  assert.equal(prefixed.status, 0);
  assert.match(
    prefixed.stdout,
    /compared without the prefix `model\.` of c\.pt\n {2}not compared: 18 other tensors of c\.pt\n/,
  );
  const shards = await compare('model', '--compare', 'whole.safetensors', '--output-format', 'json');
  assert.equal(shards.status, 1);
  const { isSame, unexpected, shapes, same: count } = JSON.parse(shards.stdout);
  assert.deepEqual([isSame, unexpected[0].name, shapes[0].name, count], [false, 'c', 'b', 1]);
  const none = await compare('a.pt', '--compare', 'notes.pt');
  assert.equal(none.status, 2);
  assert.equal(none.stderr, 'error: notes.pt has no tensors to compare: It is text, not a checkpoint.\n');
  const missing = await compare('a.pt', '--compare', 'gone.pt');
  assert.deepEqual([missing.status, missing.stderr], [2, 'error: gone.pt does not exist\n']);
  assert.match(
    (await compare('a.pt', 'b.pt', '--compare', 'c.pt')).stderr,
    /requires one path before it and one after it/,
  );
});

test('only the tensors that pass a filter are shown, as text and as JSON', async (t) => {
  const cwd = await folderWith(t, { 'a.pt': fixture('cpu.pt') });
  const text = await run(['inspect', 'a.pt', '--no-live', '--filter', 'weight shape:3x8'], { cwd });
  assert.match(text.stdout, /\n {2}head\.weight .*\n\n {2}1 of 9 tensors pass the filter\n/);
  assert.doesNotMatch(text.stdout, /features/);
  const json = await run(['inspect', 'a.pt', '--no-live', '--output-format', 'json', '--filter', 'dtype:int64'], {
    cwd,
  });
  const [file] = JSON.parse(json.stdout);
  assert.deepEqual([file.tensors.length, file.parts.model.tensors], [1, 9], 'counts are those of the file');
});

test('a folder search includes models of other programs, and one that runs code exits with 1', async () => {
  const { status, stdout } = await run(['inspect', '--no-live', '--output-format', 'json', 'models'], {
    cwd: FIXTURES,
  });
  const names = JSON.parse(stdout).map(({ path }: { path: string }) => path.replace(/^.*models[\\/]/, ''));
  assert.deepEqual(names, ['packed.nemo', 'served.mar', 'speech.nemo']);
  assert.equal(status, 1);
  const sound = ['packed.nemo', 'speech.nemo'].map((name) => `models/${name}`);
  assert.equal((await run(['inspect', '--no-live', '--output-format', 'json', ...sound], { cwd: FIXTURES })).status, 0);
});

test('inspects an address', async (t) => {
  const content = fixture('cpu.pt');
  const http = createServer(({ url, headers: { range = '' } }, response) => {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    if (url !== '/cpu.pt' || start === undefined) return void response.writeHead(404).end();
    const part = content.subarray(Number(start), Number(end) + 1);
    const last = Number(start) + part.length - 1;
    response.writeHead(206, { 'content-range': `bytes ${start}-${last}/${content.length}` }).end(part);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  t.after(() => http.close());
  const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const args = ['inspect', '--no-live', `${address}/cpu.pt`, `${address}/gone.pt`];
  const { status, stdout, stderr } = await run(args, { cwd: FIXTURES });
  assert.equal(status, 2);
  assert.ok(stdout.startsWith(`${address}/cpu.pt\n  format      PyTorch checkpoint`));
  assert.equal(stderr, `error: ${address}/gone.pt cannot be read: the server responded 404 Not Found\n`);
});
