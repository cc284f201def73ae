/** The contents of a checkpoint on disk change the findings in code that loads it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderWith, run } from './run.ts';

const checkpoint = (name: string) => readFileSync(join(import.meta.dirname, '../checkpoint/fixtures/torch', name));

const codes = async (args: string[], cwd: string) => {
  const { stdout, stderr } = await run(['check', ...args, '--output-format', 'json'], { cwd });
  assert.equal(stderr, '');
  return JSON.parse(stdout).map(
    ({ code, location }: { code: string; location: { row: number } }) => `${location.row} ${code}`,
  );
};

test('loading a checkpoint saved from the CPU is not reported', async (t) => {
  const cwd = await folderWith(t, {
    'load.py': [
      'import torch',
      'a = torch.load("weights/cpu.pt")',
      'b = torch.load("weights/cuda.pt")',
      'c = torch.load("weights/mixed.pt")',
      'd = torch.load("weights/missing.pt")',
      'e = torch.load("weights/pointer.pt")',
      'f = torch.load("weights/legacy.pt")',
      'path = "weights/cpu.pt"',
      'g = torch.load(path)',
      'def h(path="weights/cpu.pt"):',
      '    return torch.load(path)',
      'i = torch.load("weights/tensors.safetensors")',
      '',
    ].join('\n'),
    'weights/cpu.pt': checkpoint('cpu.pt'),
    'weights/cuda.pt': checkpoint('cuda0.pt'),
    'weights/mixed.pt': checkpoint('two_gpus.pt'),
    'weights/legacy.pt': checkpoint('legacy_cpu.pt'),
    'weights/pointer.pt': 'version https://git-lfs.github.com/spec/v1\n',
    'weights/tensors.safetensors': Buffer.from('\x02\0\0\0\0\0\0\0{}', 'latin1'),
  });
  assert.deepEqual(await codes(['load.py'], cwd), [
    '3 GPU101',
    '4 GPU101',
    '5 GPU101',
    '6 GPU502',
    '11 GPU101',
    '12 GPU502',
  ]);
});

test('a path is relative to the file or the working directory; all candidates must be from the CPU', async (t) => {
  const cwd = await folderWith(t, {
    'src/load.py': 'import torch\na = torch.load("a.pt")\nb = torch.load("b.pt")\nc = torch.load("both.pt")\n',
    'src/a.pt': checkpoint('cpu.pt'),
    'b.pt': checkpoint('cpu.pt'),
    'both.pt': checkpoint('cuda0.pt'),
    'src/both.pt': checkpoint('cpu.pt'),
  });
  assert.deepEqual(await codes(['src/load.py'], cwd), ['4 GPU101']);
});

test('an absolute path is followed', async (t) => {
  const cwd = await folderWith(t, { 'a.pt': checkpoint('cpu.pt') });
  const program = `import torch\ntorch.load(${JSON.stringify(join(cwd, 'a.pt'))})\n`;
  const { status } = await run(['check', '-'], { cwd, input: program });
  assert.equal(status, 0);
});

test('a fix does not change a load from the CPU', async (t) => {
  const program = 'import torch\na = torch.load("a.pt")\nb = torch.load("b.pt")\n';
  const cwd = await folderWith(t, { 'load.py': program, 'a.pt': checkpoint('cpu.pt') });
  await run(['check', '--fix', 'load.py'], { cwd });
  assert.equal(readFileSync(join(cwd, 'load.py'), 'utf8'), program.replace('"b.pt"', '"b.pt", map_location="cpu"'));
});

test('a load without weights_only is a hint if the project requires a torch that runs code by default', async (t) => {
  const load = 'import torch\nstate = torch.load("a.pt", map_location="cpu")\n';
  const folder = await folderWith(t, {
    'old/requirements.txt': 'torch==2.5.1\n',
    'old/src/load.py': load,
    'new/pyproject.toml': '[project]\ndependencies = ["torch>=2.0"]\n',
    'new/load.py': load,
  });
  const { stdout } = await run(['check', '--select', 'GPU102', '--hints', '--output-format', 'github', '.'], {
    cwd: folder,
  });
  assert.match(stdout, /^::notice .*file=old\/src\/load\.py,.*off by default in the required torch==2\.5\.1/);
  assert.equal(stdout.trim().split('\n').length, 1);
});
