/** Many files: threads, and the cache between runs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { copyFile, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { CLI } from '../programs.ts';
import { folderWith, keptIn, run } from './run.ts';

const LOAD = 'import torch\nx = torch.load(path)\ny = x.cuda()\n';

/** Enough files for several threads: one in five has a finding, and some cannot be read. */
function manyFiles(): Record<string, string | Buffer> {
  const files: Record<string, string | Buffer> = {};
  for (let index = 0; index < 260; index++) {
    const text = index % 5 === 0 ? `${'#\n'.repeat(index)}${LOAD}` : 'print("nothing")\n';
    files[`a${index % 7}/b${index}.py`] = index % 50 === 49 ? Buffer.from('x = "\xff" # torch\n', 'latin1') : text;
  }
  return files;
}

test('any number of threads reports the same findings in the same order', async (t) => {
  const cwd = await folderWith(t, manyFiles());
  const outputs: string[] = [];
  for (const args of [['--jobs', '1'], ['--jobs', '3'], []]) {
    const { status, stdout, stderr } = await run(
      ['check', '--output-format', 'json', '--hints', '--no-cache', ...args],
      {
        cwd,
      },
    );
    assert.equal(status, 2);
    // Five files cannot be read.
    assert.equal(JSON.parse(stdout).length, 2 * 52 + 5);
    outputs.push(stdout + stderr);
  }
  assert.equal(new Set(outputs).size, 1);
  assert.equal(existsSync(join(cwd, '.gpu-doctor_cache')), false);
});

test('threads also fix files', async (t) => {
  const cwd = await folderWith(t, manyFiles());
  const { stdout } = await run(['check', '--fix', '--jobs', '3'], { cwd });
  assert.match(stdout, /104 fixed, 0 remaining/);
  assert.match((await run(['check', '--jobs', '2'], { cwd })).stdout, /^5 files not checked\.\n$/);
});

test('two concurrent fixing runs leave complete files', async (t) => {
  const cwd = await folderWith(t, manyFiles());
  const runs = await Promise.all([1, 2, 3].map(() => run(['check', '--fix', '--jobs', '2'], { cwd })));
  for (const { status, stderr } of runs) assert.deepEqual([status, stderr.includes('please report')], [2, false]);
  for (const name of ['a0/b0.py', 'a5/b5.py', 'a3/b255.py'])
    assert.match(
      await readFile(join(cwd, name), 'utf8'),
      /^(#\n)*import torch\n\ndevice = .*\n\nx = torch\.load\(path, map_location=device\)\ny = x\.to\(device\)\n$/,
    );
  assert.match((await run(['check', '--jobs', '2'], { cwd })).stdout, /^5 files not checked\.\n$/);
  assert.deepEqual(globSync('**/.*.gpu-doctor', { cwd }), []);
});

test('a file that cannot be written stays unchanged', { skip: process.platform !== 'linux' }, async (t) => {
  const cwd = await folderWith(t, { 'a.py': `${LOAD}# ${'long '.repeat(1000)}\n`, 'b.py': LOAD });
  const before = await readFile(join(cwd, 'a.py'), 'utf8');
  // No file may exceed 4 KB: writing the draft of the long one fails halfway, as on a full disk.
  const limited = `ulimit -f 4; exec "$0" "$@"`;
  const child = spawnSync('bash', ['-c', limited, process.execPath, CLI, 'check', '--fix'], { cwd, encoding: 'utf8' });
  assert.equal(child.status, 2);
  assert.match(child.stderr, /^error: a\.py /m);
  assert.equal(await readFile(join(cwd, 'a.py'), 'utf8'), before);
  assert.match(await readFile(join(cwd, 'b.py'), 'utf8'), /map_location/);
  assert.deepEqual(globSync('.a.py*', { cwd }), []);
  // A report also has either its old content or none.
  for (const report of ['b.py', 'new.json']) {
    const args = [CLI, 'check', 'a.py', '--hints', '--output-format', 'sarif', '--output-file', report];
    const reporting = spawnSync('bash', ['-c', limited, process.execPath, ...args], { cwd, encoding: 'utf8' });
    assert.equal(reporting.status, 2);
    assert.match(reporting.stderr, /^gpu-doctor: the report cannot be written: /);
  }
  assert.match(await readFile(join(cwd, 'b.py'), 'utf8'), /map_location/);
  assert.deepEqual(globSync('{.b.py*,new.json}', { cwd }), []);
});

test('an invalid number of threads is reported', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD });
  for (const jobs of ['0', '-1', 'many', '1.5']) {
    const { status, stderr } = await run(['check', `--jobs=${jobs}`], { cwd });
    assert.deepEqual([status, stderr], [2, `gpu-doctor: \`--jobs ${jobs}\` is not a number of threads\n`]);
  }
});

test('findings are cached until the file, the settings or the program change', async (t) => {
  const files = { 'a.py': LOAD, 'sub/b.py': LOAD, 'plain.py': 'x = 1\n', 'pyproject.toml': '[tool.gpu-doctor]\n' };
  const cwd = await folderWith(t, files);
  const home = await folderWith(t, {});
  const env = { XDG_CACHE_HOME: home };
  const codes = async (...args: string[]) => {
    const { stdout } = await run(['check', '--output-format', 'json', '--hints', ...args], { cwd, env });
    return (JSON.parse(stdout) as { code: string }[]).map(({ code }) => code);
  };
  const both = ['GPU101', 'GPU202', 'GPU101', 'GPU202'];
  assert.deepEqual(await codes(), both);
  const kept = await keptIn(home);
  assert.equal((await stat(kept)).mode & 0o077, 0, 'nobody else reads it');
  assert.deepEqual((await readdir(cwd)).sort(), ['a.py', 'plain.py', 'pyproject.toml', 'sub']);
  // The cached result is shown: a mark in it appears in the output.
  const marked = (await readFile(kept, 'utf8')).replaceAll('GPU101', 'GPU999');
  assert.match(marked, /plain\.py/, 'a file without anything to report');
  await writeFile(kept, marked);
  assert.deepEqual(await codes(), ['GPU999', 'GPU202', 'GPU999', 'GPU202']);
  assert.deepEqual(await codes('--no-cache'), both);
  // This machine's packages may cause more findings.
  assert.equal((await codes('--live')).includes('GPU999'), false);
  // A subfolder uses the same project's cache.
  const below = await run(['check', '--output-format', 'json', '--hints'], { cwd: join(cwd, 'sub'), env });
  assert.match(below.stdout, /GPU999/);
  assert.equal(await keptIn(home), kept);
  // A result that depends on the project is recomputed after one of its files changes.
  await writeFile(join(cwd, 'a.py'), `${LOAD}\n`);
  assert.deepEqual(await codes(), both);
  // Only the latest result of a file is stored.
  assert.deepEqual(await codes('--select', 'GPU2'), ['GPU202', 'GPU202']);
  await writeFile(join(cwd, 'pyproject.toml'), '[tool.gpu-doctor]\nignore = ["GPU2"]\n');
  assert.deepEqual(await codes(), ['GPU101', 'GPU101']);
  for (const broken of [
    '{',
    '[]',
    'null',
    '{"writer": 1}',
    marked.slice(0, 900),
    marked.replace(/"writer":"/, '"writer":"0'),
  ]) {
    await writeFile(kept, broken);
    assert.deepEqual(await codes(), ['GPU101', 'GPU101'], broken.slice(0, 50));
  }
});

test('findings about a missing checkpoint are cached until it exists', async (t) => {
  const cwd = await folderWith(t, { 'a.py': 'import torch\nx = torch.load("model.pt")\n', 'plain.py': 'x = 1\n' });
  const home = await folderWith(t, {});
  const check = async () =>
    (await run(['check', '--output-format', 'json'], { cwd, env: { XDG_CACHE_HOME: home } })).stdout;
  assert.match(await check(), /GPU101/);
  const kept = await keptIn(home);
  await writeFile(kept, (await readFile(kept, 'utf8')).replaceAll('GPU101', 'GPU999'));
  assert.match(await check(), /GPU999/);
  await writeFile(join(cwd, 'model.pt'), '');
  assert.doesNotMatch(await check(), /GPU999/);
  await rm(join(cwd, 'model.pt'));
  assert.match(await check(), /GPU999/);
});

test('threads that ask about files of each other report the same', async (t) => {
  const files = manyFiles();
  for (let index = 0; index < 60; index++) {
    files[`lib/part${index}.py`] =
      `import torch\n${`# ${'long '.repeat(200)}\n`.repeat(300)}\n\ndef build():\n    return torch.zeros(2).cuda()\n`;
    files[`lib/use${index}.py`] =
      `import torch\nfrom part${index} import build\n\nif torch.cuda.is_available():\n    build()\n`;
  }
  files['lib/use7.py'] = 'from part7 import build\n\nbuild()\n';
  const cwd = await folderWith(t, files);
  const outputs: string[] = [];
  for (const jobs of ['1', '2', '3']) {
    const { stdout } = await run(['check', '--output-format', 'json', '--hints', '--no-cache', '--jobs', jobs, '.'], {
      cwd,
    });
    const found = JSON.parse(stdout) as { filename: string; severity: string; code: string }[];
    const parts = found.filter(({ filename, code }) => filename.includes('part') && code === 'GPU202');
    const flagged = parts.filter(({ severity }) => severity !== 'hint').map(({ filename }) => basename(filename));
    assert.deepEqual([parts.length, flagged], [60, ['part7.py']]);
    outputs.push(stdout);
  }
  assert.equal(new Set(outputs).size, 1);
});

test('findings in checkpoints and errors are not cached', async (t) => {
  const cwd = await folderWith(t, {
    'a.py': 'import torch\nx = torch.load("model.pt", weights_only=True, map_location="cpu")\n',
    'b.py': Buffer.from('x = "\xff" # torch\n', 'latin1'),
  });
  const dangerous = join(import.meta.dirname, '../rules/checkpoints/runs_code.pt');
  const check = () => run(['check', '--output-format', 'json'], { cwd });
  const before = await check();
  assert.equal(before.status, 2);
  assert.doesNotMatch(before.stdout, /GPU503/);
  await copyFile(dangerous, join(cwd, 'model.pt'));
  const after = await check();
  assert.match(after.stdout, /GPU503/);
  assert.equal(after.stderr, before.stderr);
  await rm(join(cwd, 'model.pt'));
  assert.equal((await check()).stdout, before.stdout);
});
