import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import { summarizeStack } from '../../server/src/diagnosis/readout/summary.ts';
import { remedyLine, stackTooltip } from '../../server/src/diagnosis/readout/tooltip.ts';
import { type Gpu, knownValue, type StackFacts } from '../../server/src/stack/facts/facts.ts';
import { describeLoad, withReadings } from '../../server/src/stack/live/gpuLoad.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from '../stack/recordedMachine.ts';

const FIGURE_SPACE = '\u2007';

async function read(name: string): Promise<StackFacts> {
  const folder = fileURLToPath(new URL(`../stack/machines/${name}`, import.meta.url));
  const recording = await loadRecording(folder);
  const { interpreter, folders = [] } = recording;
  return readStack({ machine: recordedMachine(folder, recording), interpreter, folders });
}

function gpusOf(facts: StackFacts): readonly Gpu[] {
  return knownValue(facts.gpus) ?? [];
}

test("the tooltip shows the versions, then a GPU's memory and utilization", async () => {
  const facts = await read('rtx3090-cu124');
  const [gpu] = gpusOf(facts);
  const busy = withReadings(facts, [
    { ...gpu, index: 0, uuid: null, memoryUsed: 12288, memoryTotal: 24576, utilization: 37 },
  ]);
  assert.deepEqual(stackTooltip(busy, []).split('\n\n'), [
    'Driver: 550.54.15 · torch 2.5.1+cu124, built for CUDA 12.4',
    'RTX 3090 · `████░░░░░░` 37 % · `█████░░░░░` 12.0 of 24.0 GiB',
  ]);
  assert.match(stackTooltip(busy, [], 'nvidia-smi not found'), /cannot be monitored: nvidia-smi not found\./);
});

test('several GPUs share a line, and several diagnoses as well', async () => {
  const facts = await read('host-with-8-h100');
  const [versions, load, ...rest] = stackTooltip(facts, []).split('\n\n');
  assert.match(
    versions ?? '',
    /^Driver: 580\.95\.05, open kernel module · torch 2\.9\.1\+cu130, built for CUDA 13\.0 · /,
  );
  assert.match(load ?? '', /^8 × H100 80GB · .*28\.0\/637\.2 GiB$/);
  assert.deepEqual(rest, []);
  const [one, ...others] = judgeStack(await read('rtx3090-cpu-torch'));
  assert.ok(one);
  assert.match(
    stackTooltip(facts, [one, one, one, ...others]),
    /^\$\(warning\) .* · \$\(warning\) .* · and \d+ more$/m,
  );
});

test('a diagnosis comes first, with a link to its page, and a link to what removes it last', async () => {
  const facts = await read('rtx3090-cpu-torch');
  const verdicts = judgeStack(facts);
  const lines = stackTooltip(facts, verdicts, undefined, remedyLine(verdicts)).split('\n\n');
  const [first = '', , last = ''] = lines;
  assert.equal(lines.length, 3);
  const remedy = /^\$\(lightbulb\) \[Install torch .*\]\(command:gpuDoctor\.showStack\?([^)]*)\)$/.exec(last)?.[1];
  assert.deepEqual(JSON.parse(decodeURIComponent(remedy ?? '')), [judgeStack(facts)[0]?.finding]);
  const link = /^\$\(warning\) \*\*torch .*\*\* \[More\]\(command:gpuDoctor\.showPage\?([^)]*)\)$/.exec(first)?.[1];
  assert.match(JSON.parse(decodeURIComponent(link ?? ''))[0], /\/docs\/stack\/cpu-only-torch\.md$/);
});

test('without any GPU facts, the reason comes first', async () => {
  const reason = /^\$\(question\) \*\*GPU unknown: nvidia-smi did not answer within 5 s\.\*\*$/m;
  assert.match(stackTooltip(await read('nvidia-smi-hangs'), []), reason);
  assert.doesNotMatch(stackTooltip(await read('laptop-without-gpu'), []), /GPU unknown/);
});

test('the state is that of the worst diagnosis', async () => {
  for (const [name, state] of [
    ['rtx3090-cu124', 'healthy'],
    ['rtx3090-cpu-torch', 'warning'],
    ['driver-too-old', 'error'],
    ['laptop-without-gpu', 'noGpu'],
    ['nvidia-smi-hangs', 'warning'],
  ] as const) {
    const facts = await read(name);
    assert.equal(summarizeStack(facts, judgeStack(facts)).state, state, name);
  }
  assert.equal(summarizeStack(await read('nvidia-smi-hangs'), []).state, 'unknown');
});

test('the load of all GPUs is their mean and their sum, with constant width', async () => {
  const facts = await read('host-with-8-h100');
  const readings = (utilization: number, memoryUsed: number) =>
    gpusOf(facts).map(({ index, uuid, memoryTotal }) => ({ index, uuid, memoryTotal, utilization, memoryUsed }));
  const idle = describeLoad(withReadings(facts, readings(0, 1024)));
  const busy = describeLoad(withReadings(facts, readings(100, 81559)));
  assert.equal(idle, `${FIGURE_SPACE.repeat(2)}0 % · ${FIGURE_SPACE.repeat(2)}8.0/637.2 GiB`);
  assert.equal(busy, '100 % · 637.2/637.2 GiB');
  assert.equal(idle?.length, busy?.length);
});

test('a reading belongs to the GPU with its UUID, and GPUs without one keep their previous values', async () => {
  const facts = await read('host-with-8-h100');
  const [first, second] = gpusOf(facts);
  const reading = { index: 0, uuid: second?.uuid ?? '', memoryUsed: 5, memoryTotal: 10, utilization: 1 };
  const gpus = gpusOf(withReadings(facts, [reading]));
  assert.deepEqual(gpus[0], first);
  assert.deepEqual(gpus[1], { ...second, memoryUsed: 5, utilization: 1 });
});

test('a MIG instance without its own memory and utilization has no load', async () => {
  const facts = await read('dgx-spark');
  const readings = gpusOf(facts).map(({ index, uuid }) => ({
    index,
    uuid,
    memoryUsed: null,
    memoryTotal: null,
    utilization: null,
  }));
  assert.equal(describeLoad(withReadings(facts, readings)), null);
  assert.equal(describeLoad(await read('laptop-without-gpu')), null);
});
