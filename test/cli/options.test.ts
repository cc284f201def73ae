/** Options of the commands: their help, their effect and their precedence. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Command } from '../../server/src/cli/command.ts';
import { COMMANDS } from '../../server/src/cli/commands.ts';
import { folderWith, run } from './run.ts';

const LOAD = 'import torch\n\nstate = torch.load("a.pt")\n';
/** Chooses between CUDA and the CPU, which GPU401 reports if it is enabled. */
const CHOICE = 'import torch\n\ndevice = torch.device("cuda" if torch.cuda.is_available() else "cpu")\n';

/** Returns the findings of a check, as `file code`. */
async function found(cwd: string, ...args: string[]): Promise<string[]> {
  const { stdout } = await run(['check', '--no-cache', '--output-format', 'json', ...args], { cwd });
  return JSON.parse(stdout).map(
    ({ filename, code }: { filename: string; code: string }) => `${filename.slice(cwd.length + 1)} ${code}`,
  );
}

test('the help of a command lists each option with its choices', async (t) => {
  const cwd = await folderWith(t, {});
  for (const [name, command] of Object.entries<Command>(COMMANDS)) {
    const { status, stdout } = await run(['help', name], { cwd });
    assert.equal(status, 0);
    assert.equal((await run([name, '--help'], { cwd })).stdout, stdout);
    assert.ok(stdout.startsWith(command.about.slice(0, 40)));
    for (const [option, { choices = [] }] of Object.entries(command.options)) {
      const lines = stdout.replace(/\n +(?! *-)/g, ' ');
      const line = lines.split('\n').find((each) => each.includes(`--${option} `));
      assert.ok(line, `${name} --${option}`);
      for (const choice of choices) assert.ok(line.includes(choice), `${line}: ${choice}`);
    }
    for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line);
  }
});

test('`help` lists the commands, and suggests one for a misspelled name', async (t) => {
  const cwd = await folderWith(t, {});
  const { stdout } = await run(['help'], { cwd });
  for (const name of Object.keys(COMMANDS)) assert.match(stdout, new RegExp(`^  ${name}\\b`, 'm'));
  assert.equal(stdout, (await run([], { cwd })).stdout);
  for (const args of [['chek'], ['help', 'chek']]) {
    const { status, stderr } = await run(args, { cwd });
    assert.deepEqual([status, stderr], [2, 'gpu-doctor: there is no command `chek`: did you mean `check`?\n']);
  }
});

test('an invalid value is named with the valid ones', async (t) => {
  const cwd = await folderWith(t, {});
  const { status, stderr } = await run(['check', '--fail-on', 'warn'], { cwd });
  assert.equal(status, 2);
  assert.equal(
    stderr,
    'gpu-doctor: `--fail-on warn` is not one of error, warning, information, hint: did you mean `warning`?\n',
  );
  const misspelled = await run(['check', '--output-fromat', 'json'], { cwd });
  assert.match(misspelled.stderr, /there is no option `--output-fromat`: did you mean `--output-format`\?/);
});

test('an option without a near name leads to the help, and the end of a name to the whole one', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD });
  for (const [args, said] of [
    [['check', '--format', 'json'], '`--format`: did you mean `--output-format`?'],
    [['check', '--hint'], '`--hint`: did you mean `--hints`?'],
    [['stack', '--json'], '`--json`: see `gpu-doctor stack --help`'],
    [['stack', '--probe'], '`--probe`: did you mean `--no-probe`?'],
    [['check', '-x'], '`-x`: see `gpu-doctor check --help`'],
  ] as const) {
    const { status, stderr } = await run(args, { cwd });
    assert.deepEqual([status, stderr], [2, `gpu-doctor: there is no option ${said}\n`]);
  }
  // After `--`, nothing is an option, and the case of a value does not matter.
  assert.match((await run(['check', '--', '--format'], { cwd })).stderr, /--format does not exist/);
  assert.match((await run(['check', '--output-format=JSON'], { cwd })).stdout, /^\[\n/);
});

test('a broken settings file ends the check of its own folder only', async (t) => {
  const cwd = await folderWith(t, {
    'a.py': LOAD,
    'bad/.gpu-doctor.yaml': 'ignroe: []\n',
    'bad/a.py': LOAD,
    'bad/own/.gpu-doctor.yaml': 'ignore: []\n',
    'bad/own/a.py': LOAD,
  });
  const { status, stdout, stderr } = await run(['check', '--no-cache', '--output-format', 'concise'], { cwd });
  assert.equal(status, 2);
  assert.deepEqual(stdout.match(/^\S+\.py/gm), ['a.py', 'bad/own/a.py']);
  assert.equal(stderr, 'error: bad/.gpu-doctor.yaml:1:1: there is no setting `ignroe`: did you mean `ignore`?\n');
});

test('every format has the place of a mistake in a settings file', async (t) => {
  const cwd = await folderWith(t, { '.gpu-doctor.yaml': '# ours\nignroe: []\n', 'a.py': LOAD });
  const places = {
    github: /::error [^\n]*file=\.gpu-doctor\.yaml,line=2,/,
    json: /"location": \{\s*"row": 2,\s*"column": 1/,
    gitlab: /"path": "\.gpu-doctor\.yaml",\s*"lines": \{\s*"begin": 2/,
    junit: /\.gpu-doctor\.yaml:2:1: GPU000 there is no setting `ignroe`/,
    sarif: /"uri": "\.gpu-doctor\.yaml"[^[]*"startLine": 2/,
  };
  for (const [format, place] of Object.entries(places))
    assert.match((await run(['check', '--no-cache', '--output-format', format], { cwd })).stdout, place, format);
});

test('a negated pattern ignores rules in all other files', async (t) => {
  const cwd = await folderWith(t, {
    '.gpu-doctor.yaml': 'per-file-ignores: { "!src/**": [GPU1] }\n',
    'src/a.py': LOAD,
    'tools/a.py': LOAD,
  });
  assert.deepEqual(await found(cwd), ['src/a.py GPU101']);
});

test('concise prints one line per finding, with severity, name and whether it can be fixed', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD, 'b.py': `${CHOICE}x = 1  # gpu-doctor: ignore[GPU101]\n` });
  const { stdout } = await run(['check', '--output-format', 'concise', '--hints'], { cwd });
  const [first = '', second = '', ...rest] = stdout.split('\n');
  assert.match(first, /^a\.py:3:9: GPU101 \(warning\) \[\*\] .+ \(torch-load-map-location\)$/);
  assert.match(second, /^b\.py:4:8: GPU900 \(hint\) .+ \(unused-suppression\)$/);
  assert.deepEqual(rest, ['Found 2 problems, 1 fixable with `--fix`, 1 more with `--unsafe-fixes`.', '']);
});

test('quiet prints findings and errors, and nothing else', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD, 'sub/b.py': 'print(1)\n', 'none/c.txt': '' });
  const loud = await run(['check', 'a.py'], { cwd });
  const quiet = await run(['check', '--quiet', 'a.py'], { cwd });
  assert.equal(quiet.status, 1);
  assert.equal(`${quiet.stdout}Found 1 problem, 1 fixable with \`--fix\`.\n`, loud.stdout);
  for (const args of [['sub'], ['none'], ['sub', '--diff']])
    assert.deepEqual(await run(['check', '-q', ...args], { cwd }), { status: 0, stdout: '', stderr: '' });
  const missing = await run(['check', '-q', 'missing.py'], { cwd });
  assert.deepEqual([missing.status, missing.stderr], [2, 'error: missing.py does not exist\n']);
});

/** Returns the exit status of a check of a folder with one finding of that severity. */
async function statusOf(t: TestContext, severity: string, ...args: string[]): Promise<number | null> {
  const cwd = await folderWith(t, { 'a.py': LOAD, '.gpu-doctor.yaml': `severity: { GPU101: ${severity} }\n` });
  return (await run(['check', '--no-cache', ...args], { cwd })).status;
}

test('`--fail-on` sets the lowest severity that counts', async (t) => {
  const hinted = { 'a.py': 'import torch\nx = 1  # gpu-doctor: ignore[GPU101]\n' };
  assert.equal(await statusOf(t, 'error', '--fail-on', 'error'), 1);
  assert.equal(await statusOf(t, 'warning', '--fail-on', 'error'), 0);
  assert.equal(await statusOf(t, 'warning'), 1);
  assert.equal(await statusOf(t, 'information'), 0);
  assert.equal(await statusOf(t, 'information', '--fail-on', 'information'), 1);
  assert.equal(await statusOf(t, 'information', '--fail-on', 'warning'), 0);
  assert.equal(await statusOf(t, 'error', '--fail-on', 'error', '--exit-zero'), 0);
  const cwd = await folderWith(t, hinted);
  const status = async (...args: string[]) => (await run(['check', '--no-cache', ...args], { cwd })).status;
  assert.equal(await status(), 0);
  assert.equal(await status('--fail-on', 'hint'), 1);
  assert.equal(await status('--hints'), 1);
  assert.equal(await status('--hints', '--fail-on', 'warning'), 0);
});

test('`--exclude` replaces what the project excludes, `--extend-exclude` adds to it', async (t) => {
  const cwd = await folderWith(t, {
    'pyproject.toml': '[tool.gpu-doctor]\nexclude = ["old/"]\n',
    'a.py': LOAD,
    'old/a.py': LOAD,
    'gen/a.py': LOAD,
    'gen/keep/a.py': LOAD,
  });
  assert.deepEqual(await found(cwd), ['a.py GPU101', 'gen/a.py GPU101', 'gen/keep/a.py GPU101']);
  assert.deepEqual(await found(cwd, '--exclude', 'gen'), ['a.py GPU101', 'old/a.py GPU101']);
  assert.deepEqual(await found(cwd, '--extend-exclude', 'gen/*.py,gen/keep/'), ['a.py GPU101']);
  // Patterns are relative to the folder in which the command runs; files named on the command line are checked.
  assert.deepEqual(await found(join(cwd, 'gen'), '--exclude', '/a.py', '.'), ['keep/a.py GPU101']);
  assert.deepEqual(await found(cwd, '--exclude', 'gen', 'gen/a.py'), ['gen/a.py GPU101']);
  assert.deepEqual(await found(cwd, '--exclude', 'gen', '--force-exclude', 'gen/a.py', 'a.py'), ['a.py GPU101']);
});

test('`--extend-select` adds rules to the selected ones', async (t) => {
  const cwd = await folderWith(t, { 'a.py': `${LOAD}${CHOICE.slice(13)}` });
  assert.deepEqual(await found(cwd), ['a.py GPU101']);
  assert.deepEqual(await found(cwd, '--extend-select', 'GPU401'), ['a.py GPU101', 'a.py GPU401']);
  assert.deepEqual(await found(cwd, '--extend-select', 'GPU401', '--ignore', 'GPU1'), ['a.py GPU401']);
  assert.deepEqual(await found(cwd, '--select', 'GPU2', '--extend-select', 'GPU401'), ['a.py GPU401']);
  const configured = await folderWith(t, {
    'a.py': `${LOAD}${CHOICE.slice(13)}`,
    '.gpu-doctor.yaml': 'ignore: [GPU101, GPU401]\n',
  });
  assert.deepEqual(await found(configured), []);
  assert.deepEqual(await found(configured, '--extend-select', 'GPU4'), ['a.py GPU401']);
});

test('rules can also be selected by name', async (t) => {
  const cwd = await folderWith(t, { 'a.py': `${LOAD}${CHOICE.slice(13)}` });
  assert.deepEqual(await found(cwd, '--ignore', 'torch-load-map-location'), []);
  assert.deepEqual(await found(cwd, '--select', 'Torch-Load-Map-Location,cuda-only-choice'), [
    'a.py GPU101',
    'a.py GPU401',
  ]);
  const wrong = await run(['check', '--select', 'torch-load-map-locations'], { cwd });
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /is not a rule: did you mean `torch-load-map-location`\?/);
  assert.equal(
    (await run(['rule', 'torch-load-map-location'], { cwd })).stdout,
    (await run(['rule', 'GPU101'], { cwd })).stdout,
  );

  const configured = await folderWith(t, {
    '.gpu-doctor.yaml':
      'select: [torch-load-map-location, cuda-only-choice]\nseverity: { cuda-only-choice: error }\nper-file-ignores: { "b.py": [torch-load-map-location] }\n',
    'a.py': `${LOAD}${CHOICE.slice(13)}`,
    'b.py': LOAD,
    'c.py': LOAD.replace('\n\n', '\n# gpu-doctor: ignore[torch-load-map-location]\n'),
  });
  const { stdout } = await run(['check', '--no-cache', '--output-format', 'concise', '-q'], { cwd: configured });
  assert.deepEqual(
    stdout.split('\n').map((line) => /^\S+: GPU\d+ \(\w+\)/.exec(line)?.[0]),
    ['a.py:3:9: GPU101 (warning)', 'a.py:5:23: GPU401 (error)', undefined],
  );
});

test('links are for terminals that show them', async (t) => {
  const cwd = await folderWith(t, { 'a.py': LOAD });
  const linked = async (env: Record<string, string>) =>
    (await run(['check', '--no-cache'], { cwd, env })).stdout.includes('\u001b]8;;https://');
  assert.equal(await linked({}), false);
  assert.equal(await linked({ TERM_PROGRAM: 'vscode' }), false, 'a pipe is no terminal');
  assert.equal(await linked({ FORCE_HYPERLINK: '1' }), true);
  assert.equal(await linked({ FORCE_HYPERLINK: '0' }), false);
});
