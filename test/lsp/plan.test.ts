import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PLAN_ENVIRONMENT, type PlanAnswer, type PlanRequest, WATCH_STACK } from '../../server/src/protocol.ts';
import { folderWith } from '../cli/run.ts';
import { pretendMachine } from '../editor/pretendMachine.ts';
import { startClient } from './client.ts';

/** Plans for a folder with these requirements, on a machine with an RTX 3090 and driver 550. */
async function startProject(t: TestContext, requirements: string) {
  const machine = await pretendMachine('rtx3090-cu124');
  t.after(machine.forget);
  const folder = await folderWith(t, { 'requirements.txt': requirements, 'sub/keep': '' });
  const env = { ...machine.env, VIRTUAL_ENV: '', CONDA_PREFIX: '' };
  const client = await startClient(t, { env });
  await client.connection.sendNotification(WATCH_STACK, { folders: [folder], trusted: true });
  const plan = (request: PlanRequest): Promise<PlanAnswer> => client.connection.sendRequest(PLAN_ENVIRONMENT, request);
  return { folder, plan };
}

test('a plan names what fits before it is written in any form', { timeout: 180_000 }, async (t) => {
  const { folder, plan } = await startProject(t, 'torch==2.6.0\n');
  const { summary, machine, driver, trouble, changes, plans } = await plan({ folder });
  assert.match(summary ?? '', /^Python 3\.\d+, torch 2\.6\.0 for CUDA 12\.4$/);
  assert.match(machine, /^Linux on x64 with RTX 3090, driver 550/);
  assert.deepEqual([driver, trouble, changes], [null, null, []]);
  assert.equal(plans[0]?.label, 'pip');
  const needless = await plan({ folder: join(folder, 'sub') });
  assert.deepEqual([needless.isNeedless, needless.plans], [true, []]);
});

test('conflicting pins have no plan, but the smallest changes and plans with these', async (t) => {
  const { folder, plan } = await startProject(t, 'torch==2.6.0\ntorchvision==0.15.0\n');
  const { isNeedless, summary, trouble, changes, plans } = await plan({ folder });
  assert.deepEqual([isNeedless, summary, plans], [false, null, []]);
  assert.match(trouble ?? '', /all of these together: torch==2\.6\.0 \(requirements\.txt\)/);
  assert.deepEqual(
    changes.map(({ pins }) => pins.map(({ from, because, to }) => `${from} (${because}) to ${to}`).join()),
    [
      'torchvision==0.15.0 (requirements.txt) to torchvision==0.21.*',
      'torch==2.6.0 (requirements.txt) to torch==2.0.1',
    ],
  );
  for (const change of changes) {
    const changed = await plan({ folder, change });
    assert.equal(changed.trouble, null);
    assert.equal(changed.summary, change.summary);
    const [pip] = changed.plans;
    assert.ok(pip?.command?.includes(change.pins[0]?.to ?? '?'), pip?.command ?? '');
    assert.match(pip?.text ?? '', /instead of \S+, requirements\.txt/);
  }
});

test('broken settings in a folder do not stop a plan, and their valid neighbors still exclude files', async (t) => {
  const machine = await pretendMachine('rtx3090-cu124');
  t.after(machine.forget);
  const folder = await folderWith(t, {
    'train.py': 'import torch\n',
    'cfg/pyproject.toml': '[tool.gpu-doctor]\nignore = ["XX1"]\n',
    'cfg/other.py': 'import torchaudio\n',
    'old/.gpu-doctor.yaml': 'exclude: ["*.py"]\n',
    'old/job.py': 'import tensorflow\n',
  });
  const client = await startClient(t, { env: { ...machine.env, VIRTUAL_ENV: '', CONDA_PREFIX: '' } });
  await client.connection.sendNotification(WATCH_STACK, { folders: [folder], trusted: true });
  const { purpose, plans }: PlanAnswer = await client.connection.sendRequest(PLAN_ENVIRONMENT, { folder });
  assert.ok(plans.length > 0);
  assert.match(purpose, /torch/);
  assert.match(purpose, /torchaudio/);
  assert.doesNotMatch(purpose, /tensorflow/);
});
