/** Changes to files besides safe fixes, files that do not parse, and the settings that are shown. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { folderWith, run } from './run.ts';

const CONCISE = ['check', '--no-cache', '--output-format', 'concise'];
/** The rules that CODE is written for, so that a new rule does not change the totals. */
const SELECTED = [...CONCISE, '--select', 'GPU101,GPU103,GPU201,GPU601,GPU900'];

const CODE = `import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(2, 2)
torch.save(model, "m.pt")
x = torch.zeros(3).to("cuda:1")
s = torch.load("""
a.pt""")
t = torch.load("b.pt")  # noqa: E501
u = torch.load("c.pt")  # words
`;

test("fixes that may change a program's behavior are written on request", async (t) => {
  const cwd = await folderWith(t, { 'a.py': `${CODE}w = 1  # gpu-doctor: ignore[GPU103]\n` });
  const read = () => readFile(join(cwd, 'a.py'), 'utf8');
  const result = await run(SELECTED, { cwd });
  assert.match(result.stdout, /\nFound 5 problems, 3 fixable with `--fix`, 2 more with `--unsafe-fixes`\.\n/);
  const all = await run([...SELECTED, '--unsafe-fixes'], { cwd });
  assert.match(all.stdout, /\nFound 5 problems, 5 fixable with `--fix`\.\n/);
  assert.equal(all.stdout.match(/\[\*\]/g)?.length, 5);
  const diff = await run([...SELECTED, '--unsafe-fixes', '--diff'], { cwd });
  assert.match(diff.stdout, /\+torch\.save\(model\.state_dict\(\), "m\.pt"\)/);

  await run([...SELECTED, '--fix'], { cwd });
  assert.match(await read(), /torch\.save\(model, "m\.pt"\)\n.*"cuda:1"/, 'safe fixes alone');
  const fixed = await run([...SELECTED, '--fix', '--unsafe-fixes'], { cwd });
  assert.equal(fixed.status, 0);
  assert.match(await read(), /torch\.save\(model\.state_dict\(\), "m\.pt"\)\nx = torch\.zeros\(3\)\.to\(device\)\n/);
  // Hints are fixed on request.
  assert.match(await read(), /ignore\[GPU103\]/);
  await run([...SELECTED, '--fix', '--unsafe-fixes', '--hints'], { cwd });
  assert.doesNotMatch(await read(), /ignore\[GPU103\]/);
});

test('`--add-noqa` suppresses each finding where a comment is possible', async (t) => {
  const notebook = (source: string) =>
    JSON.stringify({
      cells: [{ cell_type: 'code', metadata: {}, outputs: [], source }],
      metadata: { language_info: { name: 'python' } },
      nbformat: 4,
      nbformat_minor: 5,
    });
  const cwd = await folderWith(t, {
    'a.py': CODE,
    'n.ipynb': notebook('import torch\ntorch.load("a.pt")'),
    'crlf.py': 'import torch\r\ny = torch.load("a.pt"); z = torch.device("cuda:1")\r\n',
    'joined.py': 'import torch\nx = torch.load("a.pt") \\\n    .eval()\n',
    'requirements.txt': 'torch==2.9.0\ntorchvision==0.9.0\n',
    Dockerfile: 'FROM ubuntu:22.04\nRUN pip install torch==2.9.0 torchvision==0.9.0\n',
    '.devcontainer/devcontainer.json': '{ "postCreateCommand": "pip install torch==2.9.0 torchvision==0.9.0" }\n',
  });
  const { status, stdout } = await run([...SELECTED, '--add-noqa'], { cwd });
  assert.equal(status, 1);
  assert.match(stdout, /^\.devcontainer\/devcontainer\.json:1:/);
  assert.match(stdout, /\njoined\.py:2:5: /, 'no comment can stand behind a backslash');
  assert.match(stdout, /\nSilenced 10 problems, 2 remaining\.\n/);
  const read = (name: string) => readFile(join(cwd, name), 'utf8');
  assert.equal(
    await read('a.py'),
    CODE.replace('"m.pt")', '"m.pt")  # noqa: GPU103')
      .replace('"cuda:1")', '"cuda:1")  # noqa: GPU201')
      .replace('a.pt""")', 'a.pt""")  # noqa: GPU101')
      .replace('E501', 'E501, GPU101')
      .replace('# words', '# words  # noqa: GPU101'),
  );
  assert.equal(await read('n.ipynb'), notebook('import torch\ntorch.load("a.pt")  # noqa: GPU101'));
  assert.match(await read('crlf.py'), /"cuda:1"\) {2}# noqa: GPU101, GPU201\r\n$/);
  assert.match(await read('requirements.txt'), /torchvision==0\.9\.0 {2}# noqa: GPU601\n$/);
  assert.match(await read('Dockerfile'), /\n# gpu-doctor: ignore\[GPU601\]\nRUN pip/);
  const again = await run([...SELECTED, '--add-noqa'], { cwd });
  assert.match(again.stdout, /\nSilenced 0 problems, 2 remaining\.\n/);
  const refused = await run([...SELECTED, '--add-noqa', '--fix'], { cwd });
  assert.equal(refused.status, 2);
});

test('invalid Python is reported, and the rest of it is checked', async (t) => {
  const cwd = await folderWith(t, {
    'a.py': 'import torch\ndef f(:\n    pass\ntorch.load("a.pt")\n',
    'b.py': 'import torch\nif True\n    torch.zeros(1)\n',
    'old.py': 'import torch\nprint "Python 2"\n',
    'n.ipynb': JSON.stringify({
      cells: [
        { cell_type: 'code', metadata: {}, outputs: [], source: ['%%bash\necho (\n'] },
        { cell_type: 'code', metadata: {}, outputs: [], source: ['import torch\n', 'x = (\n'] },
      ],
      metadata: {},
    }),
  });
  const named = [
    'warning: a.py:2:7 does not parse: expected a name',
    'warning: n.ipynb:cell 2:2:6 does not parse: expected an expression',
    '',
  ].join('\n');
  const env = { XDG_CACHE_HOME: join(cwd, '..', `${Date.now()}-cache`) };
  // Also from the cache, and by other threads.
  for (const args of [[], [], ['--jobs', '4', '--no-cache']]) {
    const { status, stdout, stderr } = await run(['check', '--output-format', 'concise', ...args], { cwd, env });
    assert.equal(stderr, named);
    assert.equal(status, 1);
    assert.match(stdout, /^a\.py:4:1: GPU101 /);
  }
  // A file without anything for a rule to find is parsed if it is named on the command line.
  for (const args of [[], [], ['--no-cache']]) {
    const alone = await run(['check', ...args, 'b.py'], { cwd, env });
    assert.deepEqual(alone, {
      status: 0,
      stdout: 'No problems found in the parts that parse.\n',
      stderr: "warning: b.py:2:8 does not parse: expected ':'\n",
    });
  }
  assert.equal((await run([...CONCISE, '-q', 'b.py'], { cwd })).stderr, '');
  const [log] = JSON.parse((await run(['check', '--output-format', 'sarif', 'b.py'], { cwd })).stdout).runs;
  assert.deepEqual(log.invocations[0].toolExecutionNotifications, [
    { level: 'warning', message: { text: "b.py:2:8 does not parse: expected ':'" } },
  ]);
  const input = await run([...CONCISE, '-'], { cwd, input: 'import torch\nx = 1 +\n' });
  assert.equal(input.stderr, 'warning: -:2:8 does not parse: expected an expression\n');
});

test('the settings for a file are shown with its active rules', async (t) => {
  const cwd = await folderWith(t, {
    'pyproject.toml':
      '[tool.gpu-doctor]\nselect = ["GPU1", "GPU401"]\nexclude = ["old/"]\nbaseline = "base.json"\nper-file-ignores = { "b.py" = ["GPU101"] }\n[tool.gpu-doctor.severity]\nGPU103 = "error"\n',
    'a.py': 'print(1)\n',
    'b.py': 'print(1)\n',
  });
  const show = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['check', '--show-settings', ...args], { cwd });
    assert.equal(status, 0, stderr);
    return parse(stdout);
  };
  const settings = await show();
  assert.deepEqual(
    [settings.file, settings.configuration, settings.baseline, settings.exclude],
    ['a.py', 'pyproject.toml', 'base.json', ['old/']],
  );
  const { GPU101, GPU103, GPU201, GPU401 } = settings.rules;
  assert.deepEqual([GPU101, GPU103, GPU201, GPU401], ['warning', 'error', 'off', 'information']);
  assert.deepEqual([settings.include, settings.files.pyproject], [[], ['pyproject\\.toml']]);
  assert.equal((await show('b.py')).rules.GPU101, 'off');
  const isolated = await show('--isolated', '--ignore', 'GPU3', '--exclude', 'x');
  assert.deepEqual(
    [isolated.configuration, isolated.rules.GPU201, isolated.rules.GPU401, isolated.rules.GPU301, isolated.exclude],
    [null, 'warning', 'off', 'off', ['x']],
  );
  await writeFile(join(cwd, 'pyproject.toml'), '[tool.gpu-doctor]\nselct = []\n');
  assert.equal((await run(['check', '--show-settings'], { cwd })).status, 2);
});
