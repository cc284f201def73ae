/** Every diagnosis has a page and a machine on which it is made. */
import assert from 'node:assert/strict';
import { globSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { root } from '../../scripts/root.ts';
import { judgeStack, judges } from '../../server/src/diagnosis/judgeStack.ts';
import { diagnosesIn } from '../../server/src/diagnosis/relationDiagnoses.ts';
import { knownMessages } from '../../server/src/messages/catalogue.ts';
import { type Fact, type FrameworkRuntime, knownValue } from '../../server/src/stack/facts/facts.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

const ids = judges.map(({ id }) => id);
const PAGES = path.join(root, 'docs', 'stack');

/** Diagnoses that compare facts with a record instead of judging them alone. */
const OTHER_PAGES = ['compare', 'stack-drift'];

test('every diagnosis has a page, and every page a diagnosis', () => {
  assert.deepEqual(readdirSync(PAGES).sort(), [...ids, ...OTHER_PAGES].map((id) => `${id}.md`).sort());
});

test('every diagnosis is made on a machine', async () => {
  const given = new Set<string>();
  for (const file of globSync('test/stack/machines/*/expected.yaml', { cwd: root })) {
    const { verdicts } = parse(await readFile(path.join(root, file), 'utf8'));
    for (const id of verdicts) given.add(id);
  }
  assert.deepEqual(
    ids.filter((id) => !given.has(id)),
    [],
  );
});

/** Diagnoses without program output, or with any output of the framework itself. */
const WITHOUT_MESSAGE = [
  'files-lost',
  'wheel-of-other-python',
  'requirement-not-met',
  'framework-does-not-import',
  'framework-sees-no-gpu',
  'framework-reports-trouble',
  'device-order',
  'persistence-mode-off',
];

test('every diagnosis and the messages about it refer to each other', async () => {
  const causes = knownMessages().flatMap((message) => message.causes.map((cause) => ({ ...message, ...cause })));
  const checks = causes.flatMap(({ checked_by: those = [] }) => diagnosesIn(those));
  const met = new Set(ids.filter((id) => checks.includes(id)));
  assert.deepEqual(
    ids.filter((id) => !met.has(id)),
    ids.filter((id) => WITHOUT_MESSAGE.includes(id)),
  );
  for (const id of met) {
    const page = await readFile(path.join(PAGES, `${id}.md`), 'utf8');
    const linked = [...page.matchAll(/^- \[.+\]\(\.\.\/errors\/(\w+)\.md#([\w-]+)\)$/gm)];
    assert.ok(linked.length > 0, id);
    for (const [, family, message] of linked) {
      const errors = await readFile(path.join(root, 'docs', 'errors', `${family}.md`), 'utf8');
      const section = errors.split(`<a id="${message}"></a>`)[1]?.split('<a id=')[0] ?? '';
      assert.ok(section.includes(`](../stack/${id}.md)`), `${message} names ${id}`);
    }
  }
});

for (const id of ids) {
  test(`the page of ${id} has its meaning, detection, remedy and limits`, async () => {
    const page = await readFile(path.join(PAGES, `${id}.md`), 'utf8');
    assert.match(page, new RegExp(`^# ${id}\n\n\\S`));
    // The messages by which people encounter it, and for which they search.
    assert.match(page.split('## How it is detected')[0] ?? '', /"[^"]{6,}/);
    assert.match(page, /^Severity: (error|warning|a note)/m);
    assert.deepEqual(
      [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading),
      [
        'How it is detected',
        'What to do',
        'What is not reported',
        ...(WITHOUT_MESSAGE.includes(id) ? [] : ['Messages']),
        'Sources',
      ],
    );
    assert.match(page.split('## Sources')[1] ?? '', /\(https:\/\/[^)]+\)/);
    for (const [, linked = ''] of page.matchAll(/\]\(([\w-]+)\.md\)/g)) assert.ok(ids.includes(linked), linked);
  });
}

const provenance = { source: '/home/ada/project/.venv/bin/python', readAt: '2026-11-21T08:00:00Z' };

/** Returns the diagnoses on a healthy RTX 3090 whose torch gave that answer. */
async function verdictsWith(torch: Fact<FrameworkRuntime | null>, name = 'rtx3090-cu124') {
  const folder = path.join(root, 'test', 'stack', 'machines', name);
  const recording = await loadRecording(folder);
  const facts = await readStack({ machine: recordedMachine(folder, recording), folders: recording.folders ?? [] });
  return judgeStack({ ...facts, runtime: { ...facts.runtime, torch } });
}

const NO_GPU_SEEN: FrameworkRuntime = {
  version: '2.6.0+cu124',
  available: false,
  devices: [],
  architectures: null,
  cuda: '12.4',
  cudnn: '9.1.0',
  cudnnPath: null,
  cudnnBuilt: '9.1.0',
  failure: 'CUDA unknown error',
};

test('a framework that sees no GPU reports the reason', async () => {
  const [verdict, ...others] = await verdictsWith({ ...provenance, value: NO_GPU_SEEN });
  assert.deepEqual([verdict?.id, verdict?.severity, others], ['framework-sees-no-gpu', 'warning', []]);
  assert.deepEqual(verdict?.why[0], { fact: 'CUDA unknown error', source: provenance.source });
});

test('a framework that sees the GPU, or has none to see, is not reported', async () => {
  const device = { index: 0, name: 'RTX 3090', api: 'cuda', uuid: null, computeCapability: '8.6', memoryTotal: 24576 };
  const sees = { ...NO_GPU_SEEN, available: true, devices: [device], failure: null } as FrameworkRuntime;
  assert.deepEqual(await verdictsWith({ ...provenance, value: sees }), []);
  assert.deepEqual(await verdictsWith({ ...provenance, value: NO_GPU_SEEN }, 'login-node'), []);
  const [hidden] = await verdictsWith({ ...provenance, value: NO_GPU_SEEN }, 'gpus-hidden');
  assert.equal(hidden?.id, 'gpus-hidden');
});

test('an import that fails is an error, one that hangs a warning', async () => {
  const failed = { ...provenance, cause: 'failed' as const, unknown: 'ImportError: libcudnn.so.9: cannot open' };
  const hung = { ...provenance, cause: 'timedOut' as const, unknown: 'no answer within 60 s' };
  const given = [...(await verdictsWith(failed)), ...(await verdictsWith(hung))];
  assert.deepEqual(
    given.map(({ id, severity }) => [id, severity]),
    [
      ['framework-does-not-import', 'error'],
      ['framework-does-not-import', 'warning'],
    ],
  );
  assert.deepEqual(await verdictsWith({ ...provenance, cause: 'notAsked', unknown: 'it was not imported' }), []);
});

test("a framework's own cuDNN and architectures have precedence over published ones", async () => {
  const device = { index: 0, name: 'RTX 3090', api: 'cuda', uuid: null, computeCapability: '8.6', memoryTotal: 24576 };
  const said = { ...NO_GPU_SEEN, devices: [device], cudnn: '8.9.2', architectures: ['sm_90'] } as FrameworkRuntime;
  assert.deepEqual(
    (await verdictsWith({ ...provenance, value: said })).map(({ id }) => id),
    ['gpu-older-than-build', 'cudnn-of-other-major'],
  );
});

test('GPUs in several modes are distinguished, and each command names its own', async () => {
  const folder = path.join(root, 'test', 'stack', 'machines', 'exclusive-mode');
  const facts = await readStack({ machine: recordedMachine(folder, await loadRecording(folder)), folders: [] });
  const gpus = knownValue(facts.gpus) ?? [];
  const [, second] = gpus;
  assert.ok(second);
  second.computeMode = 'Prohibited';
  const found = judgeStack(facts).filter(({ id }) => id === 'gpu-in-exclusive-mode');
  assert.deepEqual(
    found.map(({ severity, remedies }) => [severity, remedies.at(-1)?.command]),
    [
      ['warning', 'sudo nvidia-smi -i 1 -c DEFAULT'],
      ['information', 'sudo nvidia-smi -i 0 -c DEFAULT'],
    ],
  );
});
