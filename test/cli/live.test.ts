import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pretendMachine } from '../editor/pretendMachine.ts';
import { folderWith, run } from './run.ts';

const PROGRAM =
  'import torch\nx = torch.zeros(1, device="cuda:1")\ndef f(x):\n    x.cuda(1)  # gpu-doctor: ignore[GPU204]\n';

test("--live judges by this machine's GPUs", async (t) => {
  const machine = await pretendMachine('rtx3090-cpu-torch');
  t.after(machine.forget);
  const cwd = await folderWith(t, { ...machine.files, 'train.py': PROGRAM });
  const check = async (...options: string[]) => {
    const env = { ...machine.env, CUDA_VISIBLE_DEVICES: '0' };
    const { status, stdout } = await run(['check', 'train.py', '--output-format', 'json', ...options], { cwd, env });
    assert.equal(status, 1);
    const found: { code: string; severity: string; location: { row: number } }[] = JSON.parse(stdout);
    return found.map(({ code, severity, location: { row } }) => `${row} ${code} ${severity}`);
  };
  assert.deepEqual(await check('--live'), ['2 GPU204 error', '4 GPU201 warning']);
  assert.deepEqual(await check(), ['2 GPU201 warning', '4 GPU201 warning']);
  assert.deepEqual(
    await check('--hints'),
    ['2 GPU201 warning', '4 GPU201 warning'],
    'the comment may be needed elsewhere',
  );
  assert.deepEqual(await check('--live', '--ignore', 'GPU204'), ['2 GPU201 warning', '4 GPU201 warning']);
});

test('--live keeps the fixes of code that fails on every machine', async (t) => {
  // Its torch finds no GPU, so that no GPU of the machine is worth querying.
  const machine = await pretendMachine('rtx3090-cpu-torch');
  t.after(machine.forget);
  const own = 'import os\nos.environ["CUDA_VISIBLE_DEVICES"] = "2"\nimport torch\nmodel = torch.nn.Linear(2, 2)\n';
  const cwd = await folderWith(t, { ...machine.files, 'train.py': `${own}model.to("cuda:2")\n` });
  const diff = async (...options: string[]) =>
    (await run(['check', '--diff', ...options], { cwd, env: machine.env })).stdout;
  assert.match(await diff(), /\+model\.to\(device\)/);
  assert.equal(await diff('--live'), await diff());
});

test('--live reports why the GPUs are unknown', async (t) => {
  const cwd = await folderWith(t, { 'train.py': 'import torch\nx = torch.zeros(1, device="cuda:1")\n' });
  const { status, stderr, stdout } = await run(['check', '--live'], { cwd, env: { PATH: '/nonexistent' } });
  assert.equal(status, 1);
  assert.match(stderr, /^This machine's GPUs are unknown: .*\.\n$/);
  assert.doesNotMatch(stdout, /GPU204/);
});
