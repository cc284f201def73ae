import assert from 'node:assert/strict';
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderWith, run } from './run.ts';

const LOAD = 'import torch\n\nstate = torch.load("a.pt")\n';
const CLEAN = 'import torch\n\nprint(torch.__version__)\n';

const notebook = (...sources: string[]) =>
  JSON.stringify({
    cells: [
      { cell_type: 'markdown', metadata: {}, source: ['# torch.load("a.pt")'] },
      ...sources.map((source) => ({ cell_type: 'code', metadata: {}, outputs: [], source: [source] })),
    ],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  });

test('a finding is shown with its place, its line and a caret', async (t) => {
  const cwd = await folderWith(t, { 'train.py': LOAD });
  const { status, stdout, stderr } = await run(['check', 'train.py'], { cwd });
  assert.equal(status, 1);
  assert.equal(stderr, '');
  const lines = stdout.split('\n');
  assert.match(lines[0] ?? '', /^train\.py:3:9: GPU101 \(warning\) \[\*\] \S.* \(torch-load-map-location\)$/);
  assert.equal(lines[2], '3 | state = torch.load("a.pt")');
  assert.equal(lines[3], '  |         ^^^^^^^^^^^^^^^^^^');
  assert.match(stdout, /Found 1 problem, 1 fixable with `--fix`\.\n$/);
});

test('hints are explained on request', async (t) => {
  const saved = 'import torch\n\ntorch.save([1], "a.pt")\nstate = torch.load("a.pt")\n';
  const cwd = await folderWith(t, { 'train.py': saved });
  const { stdout } = await run(['check', '--hints', 'train.py'], { cwd });
  assert.match(stdout, /GPU101 \(hint\) /);
  assert.match(stdout, / = hint because this run has just saved the file \(3:1\)\n/);
});

test('a folder is one project, a single file is not', async (t) => {
  const cwd = await folderWith(t, {
    'app/main.py': 'import torch\n\nfrom engine import build\n\nif torch.cuda.is_available():\n    build()\n',
    'app/engine.py': 'import torch\n\n\ndef build():\n    return torch.zeros(2).cuda()\n',
  });
  const main = join(cwd, 'app', 'main.py');
  const whole = await run(['check', '--hints', '--output-format', 'json', 'app'], { cwd });
  const [hint, ...others] = JSON.parse(whole.stdout);
  assert.deepEqual(others, []);
  assert.equal(hint.severity, 'hint');
  assert.deepEqual(
    hint.reasons.map(({ at }: { at: { filename: string; location: object } }) => [at.filename, at.location]),
    [[main, { row: 6, column: 5 }]],
  );
  const sarif = JSON.parse((await run(['check', '--hints', '--output-format', 'sarif', 'app'], { cwd })).stdout);
  const [related] = sarif.runs[0].results[0].relatedLocations;
  assert.match(related.physicalLocation.artifactLocation.uri, /app\/main\.py$/);
  assert.match((await run(['check', join('app', 'engine.py')], { cwd })).stdout, /GPU202/);

  // A result that depends on other files is not taken from the cache after one of them changed.
  assert.doesNotMatch((await run(['check', 'app'], { cwd })).stdout, /GPU202/);
  await writeFile(main, 'from engine import build\n\nbuild()\n');
  assert.match((await run(['check', 'app'], { cwd })).stdout, /GPU202/);
});

test('in a snippet without imports, framework names have their usual meaning', async (t) => {
  const snippet = 'model = torch.load("model.pt")\nnet = tf.keras.models.load_model("net.h5")\nnp.load("x.npy")\n';
  const cwd = await folderWith(t, { 'snippet.py': snippet });
  const codesIn = async (...args: string[]) => {
    const { stdout } = await run(['check', ...args, '--output-format', 'json'], { cwd, input: snippet });
    return (JSON.parse(stdout) as { code: string }[]).map(({ code }) => code);
  };
  assert.deepEqual(await codesIn('-'), ['GPU101', 'GPU301']);
  // A file without imports is a fragment that another program runs.
  assert.deepEqual(await codesIn('snippet.py'), ['GPU101', 'GPU301']);
  assert.deepEqual(await codesIn('-', '--stdin-filename', 'snippet.py'), ['GPU101', 'GPU301']);
});

test('a clean file exits with 0', async (t) => {
  const cwd = await folderWith(t, { 'train.py': CLEAN });
  const { status, stdout } = await run(['check', '.'], { cwd });
  assert.equal(status, 0);
  assert.equal(stdout, 'No problems found.\n');
});

test('a report is written to a file, and the counts are still printed', async (t) => {
  const cwd = await folderWith(t, { 'train.py': LOAD, taken: '' });
  const file = join(cwd, 'reports', 'junit.xml');
  const written = await run(['check', '.', '--output-format', 'junit', '--output-file', file], { cwd });
  assert.deepEqual([written.status, written.stdout, written.stderr], [1, '', '']);
  assert.match(await readFile(file, 'utf8'), /<testsuite name="train\.py" tests="1" failures="1" errors="0">/);
  const counted = await run(['check', '.', '--statistics'], { cwd });
  assert.match(counted.stdout, /^1\tGPU101\t\[\*\] torch-load-map-location\nFound 1 problem, /);
  const [impossible, mixed] = await Promise.all([
    run(['check', '.', '--output-file', join('taken', 'report.txt')], { cwd }),
    run(['check', '.', '--statistics', '--output-format', 'sarif'], { cwd }),
  ]);
  assert.equal(impossible.status, 2);
  assert.match(impossible.stderr, /^gpu-doctor: the report cannot be written: taken\/report\.txt /);
  assert.equal(mixed.status, 2);
});

test('a report in a folder that cannot be created is an error', {
  skip: process.platform !== 'linux' && 'it takes /proc',
  timeout: 180_000,
}, async (t) => {
  const cwd = await folderWith(t, { 'train.py': CLEAN });
  const { status, stderr } = await run(['check', '.', '--output-file', '/proc/reports/all/report.txt'], { cwd });
  assert.equal(status, 2);
  assert.match(stderr, /^gpu-doctor: the report cannot be written: \/proc\/reports\/all\/report\.txt /);
});

test("JSON has ruff's structure", async (t) => {
  const cwd = await folderWith(t, { 'train.py': `# 日本 😀\n${LOAD.replace('state', '😀 = 1; state')}` });
  const { status, stdout } = await run(['check', 'train.py', '--output-format', 'json'], { cwd });
  assert.equal(status, 1);
  const [found, ...more] = JSON.parse(stdout);
  assert.equal(more.length, 0);
  assert.deepEqual(Object.keys(found).sort(), [
    'cell',
    'code',
    'end_location',
    'filename',
    'fix',
    'location',
    'message',
    'name',
    'noqa_row',
    'reasons',
    'severity',
    'url',
  ]);
  assert.equal(found.filename, join(cwd, 'train.py'));
  assert.equal(found.cell, null);
  assert.equal(found.severity, 'warning');
  // An emoji is one character, although it has two UTF-16 units.
  assert.deepEqual(found.location, { row: 4, column: 16 });
  assert.deepEqual(found.end_location, { row: 4, column: 34 });
  assert.match(found.url, /GPU101/);
  assert.equal(found.fix.applicability, 'safe');
  assert.equal(typeof found.fix.message, 'string');
  for (const edit of found.fix.edits)
    assert.deepEqual(Object.keys(edit).sort(), ['cell', 'content', 'end_location', 'location']);
});

test('JSON of a clean run is an empty list', async (t) => {
  const cwd = await folderWith(t, { 'train.py': CLEAN });
  assert.deepEqual(await run(['check', '--output-format=json'], { cwd }), { status: 0, stdout: '[]\n', stderr: '' });
});

test('a notebook names the cell, counted among all cells', async (t) => {
  const cwd = await folderWith(t, { 'nb.ipynb': notebook('import torch', 'x = 1\ntorch.load("a.pt")') });
  const json = await run(['check', '--output-format', 'json'], { cwd });
  const [found] = JSON.parse(json.stdout);
  assert.equal(found.cell, 3);
  assert.deepEqual(found.location, { row: 2, column: 1 });
  const text = await run(['check'], { cwd });
  assert.match(text.stdout, /^nb\.ipynb:cell 3:2:1: GPU101/);
});

test('--fix writes files and counts', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD, 'sub/b.py': LOAD, 'c.py': CLEAN });
  const { status, stdout } = await run(['check', '--fix'], { cwd });
  assert.equal(status, 0);
  assert.match(stdout, /Found 2 problems \(2 fixed, 0 remaining\)\./);
  for (const file of ['a.py', 'sub/b.py']) assert.match(await readFile(join(cwd, file), 'utf8'), /map_location/);
  assert.equal(await readFile(join(cwd, 'c.py'), 'utf8'), CLEAN);
  assert.deepEqual((await readdir(cwd)).sort(), ['a.py', 'c.py', 'sub']);
  assert.match((await run(['check', '--fix'], { cwd })).stdout, /No problems found/);
});

test('--fix keeps line ends, byte order mark, encoding and mode, and follows links', async (t) => {
  const crlf = LOAD.replaceAll('\n', '\r\n');
  const latin = Buffer.from(`# -*- coding: latin-1 -*-\nname = "Zo\u00eb"\n${LOAD}`, 'latin1');
  const cwd = await folderWith(t, { 'crlf.py': crlf, 'bom.py': `\uFEFF${LOAD}`, 'latin.py': latin, 'real/x.py': LOAD });
  await chmod(join(cwd, 'crlf.py'), 0o750);
  await symlink('real/x.py', join(cwd, 'link.py'));
  const { status } = await run(['check', '--fix', 'crlf.py', 'bom.py', 'latin.py', 'link.py'], { cwd });
  assert.equal(status, 0);
  const fixedCrlf = await readFile(join(cwd, 'crlf.py'), 'utf8');
  assert.match(fixedCrlf, /map_location/);
  assert.equal(fixedCrlf.replaceAll('\r\n', '').includes('\n'), false);
  assert.equal((await stat(join(cwd, 'crlf.py'))).mode & 0o777, 0o750);
  assert.match(await readFile(join(cwd, 'bom.py'), 'utf8'), /^\uFEFFimport torch\n\nstate.*map_location/);
  const fixedLatin = await readFile(join(cwd, 'latin.py'));
  assert.match(fixedLatin.toString('latin1'), /"Zo\u00eb"[\s\S]*map_location/);
  assert.equal(fixedLatin.includes(Buffer.from('Zo\u00eb', 'latin1')), true);
  assert.match(await readFile(join(cwd, 'real/x.py'), 'utf8'), /map_location/);
  assert.deepEqual((await readdir(join(cwd, 'real'))).sort(), ['x.py']);
});

test('a byte order mark does not shift columns', async (t) => {
  const cwd = await folderWith(t, { 'bom.py': '\uFEFFimport torch; torch.load("a")\n' });
  const [found] = JSON.parse((await run(['check', '--output-format', 'json'], { cwd })).stdout);
  assert.deepEqual(found.location, { row: 1, column: 15 });
});

test('--diff shows the changes of --fix and writes nothing', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD, 'nb.ipynb': notebook('import torch', 'torch.load("a.pt")') });
  const { status, stdout, stderr } = await run(['check', '--diff'], { cwd });
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^--- a\.py\n\+\+\+ a\.py\n@@ -1,3 \+1,3 @@\n import torch\n \n-state = .*\n\+state = .*map_location.*\n/,
  );
  assert.match(stdout, /--- nb\.ipynb:cell 3\n/);
  assert.match(stderr, /Would fix 2 problems/);
  assert.equal(await readFile(join(cwd, 'a.py'), 'utf8'), LOAD);
  const clean = await run(['check', '--diff', '--ignore', 'GPU101'], { cwd });
  assert.equal(clean.status, 0);
  assert.equal(clean.stdout, '');
});

test('fixes are counted as written, regardless of later findings', async (t) => {
  const cwd = await folderWith(t, { 'a.py': 'import torch\nx = torch.zeros(1, device="cuda:0")\n' });
  const shown = await run(['check', 'a.py', '--diff'], { cwd });
  assert.match(shown.stderr, /^Would fix 1 problem\.$/m);
  const { stdout } = await run(['check', 'a.py', '--fix', '--hints'], { cwd });
  assert.match(stdout, /Found 1 problem \(1 fixed, 0 remaining\)\./);
});

test('standard input is checked, fixed and shown as a diff', async (t) => {
  const cwd = await folderWith(t, {});
  const judged = await run(['check', '-'], { cwd, input: LOAD });
  assert.equal(judged.status, 1);
  assert.match(judged.stdout, /^-:3:9: GPU101/);
  const fixed = await run(['check', '-', '--fix'], { cwd, input: LOAD });
  assert.equal(fixed.status, 0);
  assert.match(fixed.stdout, /^import torch\n\nstate = torch\.load\("a\.pt", map_location="cpu"\)\n$/);
  assert.match(fixed.stderr, /1 fixed, 0 remaining/);
  const unchanged = await run(['check', '-', '--fix'], { cwd, input: CLEAN });
  assert.equal(unchanged.stdout, CLEAN);
  const named = await run(['check', '-', '--stdin-filename', 'nb.ipynb', '--output-format', 'json'], {
    cwd,
    input: notebook('import torch', 'torch.load("a.pt")'),
  });
  assert.deepEqual(
    JSON.parse(named.stdout).map(({ filename, cell }: { filename: string; cell: number }) => [filename, cell]),
    [[join(cwd, 'nb.ipynb'), 3]],
  );
  const diff = await run(['check', '-', '--diff'], { cwd, input: LOAD });
  assert.match(diff.stdout, /^--- -\n\+\+\+ -\n@@/);
});

test('--select and --ignore choose rules', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD });
  assert.equal((await run(['check', '--select', 'GPU1'], { cwd })).status, 1);
  assert.equal((await run(['check', '--select', 'GPU900'], { cwd })).status, 0);
  assert.equal((await run(['check', '--ignore', 'GPU900,gpu101'], { cwd })).status, 0);
  const wrong = await run(['check', '--select', 'GPU109'], { cwd });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /^gpu-doctor: `--select`: `GPU109` is not a rule: did you mean `GPU101`\?\n$/);
});

test('hints count only on request', async (t) => {
  const cwd = await folderWith(t, { 'a.py': `${CLEAN}x = 1  # gpu-doctor: ignore[GPU101]\n` });
  const quiet = await run(['check'], { cwd });
  assert.equal(quiet.status, 0);
  assert.match(quiet.stdout, /No problems found\.\n1 hint not shown: see `--hints`\./);
  const loud = await run(['check', '--hints'], { cwd });
  assert.equal(loud.status, 1);
  assert.match(loud.stdout, /^a\.py:4:8: GPU900 \(hint\) /);
});

test('a suppressed finding is neither reported nor fixed', async (t) => {
  const text = LOAD.replace('")\n', '")  # noqa: GPU101\n');
  const cwd = await folderWith(t, { 'a.py': text });
  const { status, stdout } = await run(['check', '--hints', '--fix'], { cwd });
  assert.equal(status, 0);
  assert.match(stdout, /No problems found/);
  assert.equal(await readFile(join(cwd, 'a.py'), 'utf8'), text);
});

test('--exit-zero hides findings from the exit status, not failures', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD });
  assert.equal((await run(['check', '--exit-zero', 'a.py'], { cwd })).status, 0);
  assert.equal((await run(['check', '--exit-zero', 'b.py'], { cwd })).status, 2);
});

test('colors are for terminals, unless the environment says otherwise', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD });
  const isColored = async (env: Record<string, string>) =>
    (await run(['check'], { cwd, env })).stdout.includes('\u001b[');
  assert.equal(await isColored({}), false);
  assert.equal(await isColored({ FORCE_COLOR: '1' }), true);
  assert.equal(await isColored({ FORCE_COLOR: '0' }), false);
  assert.equal(await isColored({ NO_COLOR: '1' }), false);
});

test("the project's settings apply, and the command line overrides them", async (t) => {
  const cwd = await folderWith(t, {
    '.gpu-doctor.yaml': 'severity: { GPU101: error }\nexclude: [old/]\nper-file-ignores: { "tools/*.py": [GPU101] }\n',
    'a.py': LOAD,
    'old/a.py': LOAD,
    'tools/a.py': LOAD,
    'sub/pyproject.toml': '[tool.gpu-doctor]\nignore = ["GPU101"]\n',
    'sub/a.py': LOAD,
    'other/pyproject.toml': '[project]\nname = "x"\n[tool.ruff]\n',
    'other/a.py': LOAD,
  });
  const found = async (...args: string[]) =>
    JSON.parse((await run(['check', '--output-format', 'json', ...args], { cwd })).stdout).map(
      ({ filename, severity }: { filename: string; severity: string }) =>
        `${filename.slice(cwd.length + 1)} ${severity}`,
    );
  assert.deepEqual(await found(), ['a.py error', 'other/a.py error']);
  assert.deepEqual(await found('old/a.py'), ['old/a.py error']);
  assert.deepEqual(await found('--force-exclude', 'a.py', 'old/a.py'), ['a.py error']);
  assert.deepEqual(await found('--select', 'GPU101', 'sub'), ['sub/a.py warning']);
  assert.deepEqual(
    await found('--isolated'),
    ['a.py', 'old/a.py', 'other/a.py', 'sub/a.py', 'tools/a.py'].map((path) => `${path} warning`),
  );
  assert.deepEqual(await found('--config', 'sub/pyproject.toml'), []);
});

test('an error in the settings names file, line and column', async (t) => {
  const cwd = await folderWith(t, { '.gpu-doctor.yaml': '# x\nignroe: [GPU101]\n', 'a.py': LOAD });
  const { status, stdout, stderr } = await run(['check'], { cwd });
  assert.equal(status, 2);
  assert.equal(stdout, '1 file not checked.\n');
  assert.equal(stderr, 'error: .gpu-doctor.yaml:2:1: there is no setting `ignroe`: did you mean `ignore`?\n');
});
