/**
 * Environment files on the command line: found in folders, reported like Python files, suppressed, configured and
 * fixed.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderWith, keptIn, run } from './run.ts';

const MISMATCH = 'torch==2.9.0\ntorchvision==0.15.2\n';

test('environment files of a folder are checked, and others are not', async (t) => {
  const cwd = await folderWith(t, {
    'requirements.txt': MISMATCH,
    'requirements/gpu.txt': MISMATCH,
    'docker/train.Dockerfile': 'FROM python:3.11\nRUN pip install torch==2.9.0 torchvision==0.15.2\n',
    'conda.yml': 'dependencies:\n  - pytorch=2.1\n  - torchvision=0.15\n',
    'notes.txt': MISMATCH,
    'broken/environment.yml': 'torch: [\n',
    '.gitignore': 'old/\n',
    'old/requirements.txt': MISMATCH,
  });
  const { status, stdout, stderr } = await run(['check', '.', '--output-format', 'github'], { cwd });
  assert.equal(stderr, '');
  assert.equal(status, 1);
  const files = [...stdout.matchAll(/file=([^,]+)/g)].map(([, file]) => file);
  assert.deepEqual(files, ['conda.yml', 'docker/train.Dockerfile', 'requirements.txt', 'requirements/gpu.txt']);
});

test('a named file is read as what it is, and the settings include others', async (t) => {
  const cwd = await folderWith(t, {
    'deps.txt': MISMATCH,
    'deps.yaml': 'dependencies:\n  - pytorch=2.1\n  - torchvision=0.15\n',
    'program.txt': 'import torch\ntorch.load("a.pt")\n',
    'package.json': '{ "name": "page", "private": true }\n',
    'sub/deps.txt': MISMATCH,
  });
  const reported = async (...args: string[]) => {
    const { stdout } = await run(['check', '--output-format', 'github', ...args], { cwd });
    return [...stdout.matchAll(/file=([^,]+)/g)].map(([, file]) => file);
  };
  assert.deepEqual(await reported('deps.txt', 'deps.yaml'), ['deps.txt', 'deps.yaml']);
  assert.match((await run(['check', 'program.txt'], { cwd })).stdout, /GPU101/);
  const { status, stderr } = await run(['check', 'package.json'], { cwd });
  assert.deepEqual([status, stderr], [2, 'error: package.json is neither Python nor an environment file\n']);

  assert.deepEqual(await reported('.'), []);
  await writeFile(join(cwd, '.gpu-doctor.yaml'), 'include: [/deps.*]\n');
  assert.deepEqual(await reported('.'), ['deps.txt', 'deps.yaml']);
});

test('findings through an included list are not cached', async (t) => {
  const cwd = await folderWith(t, {
    'requirements.txt': 'torch==2.9.0\n-r vision.in\n',
    'vision.in': 'torchvision==0.15.2\n',
  });
  const before = await run(['check', '.'], { cwd });
  assert.match(before.stdout, /^requirements\.txt:1:1: GPU601 \(warning\) torchvision 0\.15\.2 needs torch 2\.0\.1/);
  await writeFile(join(cwd, 'vision.in'), 'torchvision==0.24.0\n');
  assert.equal((await run(['check', '.'], { cwd })).status, 0);
});

test('the text, JSON and SARIF of a finding name its rule', async (t) => {
  const cwd = await folderWith(t, { 'requirements.txt': MISMATCH });
  const text = await run(['check', '.'], { cwd });
  assert.match(text.stdout, /^requirements\.txt:2:1: GPU601 \(warning\) torchvision 0\.15\.2 needs torch 2\.0\.1, not/);
  const [record] = JSON.parse((await run(['check', '.', '--output-format', 'json'], { cwd })).stdout);
  assert.equal(record.name, 'torch-family-mismatch');
  assert.deepEqual(record.fix.edits[0].location, { row: 2, column: 14 });
  const log = JSON.parse((await run(['check', '.', '--output-format', 'sarif'], { cwd })).stdout);
  assert.equal(log.runs[0].results[0].ruleId, 'GPU601');
  assert.ok(log.runs[0].tool.driver.rules.some(({ id }: { id: string }) => id === 'GPU601'));
});

test('comments and settings work as for Python', async (t) => {
  const cwd = await folderWith(t, {
    'requirements.txt': 'torch==2.9.0\ntorchvision==0.15.2  # gpu-doctor: ignore[GPU601]\n',
    'b/requirements.txt': 'torch==2.9.0\ntorchvision==0.15.2  # noqa: GPU601\n',
    Dockerfile: 'FROM python:3.11\n# gpu-doctor: ignore[GPU601]\nRUN pip install torch==2.9.0 torchvision==0.15.2\n',
    'pyproject.toml':
      '[project]\nname = "a"\ndependencies = [\n  "torch==2.9.0",\n  "torchvision==0.15.2",\n]\n\n[tool.gpu-doctor.severity]\nGPU601 = "error"\n',
  });
  const { stdout } = await run(['check', '.', '--output-format', 'github'], { cwd });
  assert.deepEqual(
    stdout.match(/^::\w+ .*?file=[^,]+/gm)?.map((line) => line.replace(/^::(\w+).*file=/, '$1 ')),
    ['error pyproject.toml'],
  );
  const ignored = await run(['check', '.', '--ignore', 'GPU6'], { cwd });
  assert.equal(ignored.status, 0);
});

test('an unused suppression is a hint', async (t) => {
  const cwd = await folderWith(t, { 'requirements.txt': 'torch==2.9.0  # gpu-doctor: ignore[GPU601]\n' });
  const { stdout } = await run(['check', '.', '--hints'], { cwd });
  assert.match(stdout, /GPU900 \(hint\)/);
});

test('a safe fix is written, and the rest of the file stays unchanged', async (t) => {
  const text = '# as on PyPI\r\npytorch  # the framework\r\nnumpy\r\n';
  const cwd = await folderWith(t, { 'requirements.txt': text });
  const { stdout } = await run(['check', '.', '--fix'], { cwd });
  assert.match(stdout, /1 fixed, 0 remaining/);
  const fixed = await readFile(join(cwd, 'requirements.txt'), 'utf8');
  assert.equal(fixed, text.replace('pytorch', 'torch'));
});

test('findings are cached until the file changes', async (t) => {
  const cwd = await folderWith(t, { 'requirements.txt': MISMATCH });
  const home = await folderWith(t, {});
  const env = { XDG_CACHE_HOME: home };
  assert.equal((await run(['check', '.'], { cwd, env })).status, 1);
  assert.match(await readFile(await keptIn(home), 'utf8'), /GPU601/);
  await writeFile(join(cwd, 'requirements.txt'), MISMATCH.replace('0.15.2', '0.24.0'));
  assert.equal((await run(['check', '.'], { cwd, env })).status, 0);
});

test('a cached list is checked again once a Dockerfile installs it', async (t) => {
  const cwd = await folderWith(t, { 'requirements.txt': 'torch==1.12.1\ntorchvision==0.13.1\n' });
  const env = { XDG_CACHE_HOME: await folderWith(t, {}) };
  const args = ['check', 'requirements.txt'];
  assert.match((await run(args, { cwd, env })).stdout, /GPU606/);
  const image = 'FROM python:3.8\nCOPY requirements.txt .\nRUN pip install -r requirements.txt\n';
  await writeFile(join(cwd, 'Dockerfile'), image);
  assert.doesNotMatch((await run(args, { cwd, env })).stdout, /GPU606/);
});

test('UTF-16, as PowerShell writes it, is read and written as pip reads it', async (t) => {
  const bytes = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const cwd = await folderWith(t, {
    'requirements.txt': bytes('pytorch\r\ntorchvision\r\n'),
    'more/requirements.txt': '-r ../constraints.txt\n',
    'constraints.txt': bytes(MISMATCH),
  });
  const { stdout } = await run(['check', '.', '--output-format', 'json', '--no-cache'], { cwd });
  const codes = (JSON.parse(stdout) as { code: string }[]).map(({ code }) => code);
  assert.ok(codes.includes('GPU603') && codes.includes('GPU601'), stdout);
  await run(['check', '.', '--fix'], { cwd });
  assert.deepEqual(await readFile(join(cwd, 'requirements.txt')), bytes('torch\r\ntorchvision\r\n'));
});
