/** What the hover says of requirements on machines that are known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvironment } from '../../server/src/environment/read.ts';
import { environmentMarkdown } from '../../server/src/report/environmentHover.ts';
import type { Gpu, StackFacts } from '../../server/src/stack/facts/facts.ts';
import { nothingYet } from '../../server/src/stack/facts/nothingYet.ts';

const gpu = (name: string, computeCapability: string): Gpu => ({
  index: 0,
  name,
  uuid: null,
  memoryTotal: 24576,
  memoryUsed: 0,
  utilization: 0,
  computeCapability,
  mig: null,
  migInstances: [],
});

function machine(gpus: Gpu[], driver: string): StackFacts {
  const source = 'nvidia-smi';
  const readAt = '2026-11-23T00:00:00.000Z';
  const known = <T>(value: T) => ({ value, source, readAt });
  return { ...nothingYet(), gpus: known(gpus), driver: known(driver), variables: known({}) } as unknown as StackFacts;
}

function hereOf(text: string, facts: StackFacts | undefined): string | undefined {
  const shown = environmentMarkdown(readEnvironment('requirements', text), 2, facts)?.markdown;
  return /\| Here \| (.*) \|/.exec(shown ?? '')?.[1];
}

test('says whether it runs here', () => {
  const rtx3090 = machine([gpu('RTX 3090', '8.6')], '535.54.03');
  assert.equal(hereOf('torch==2.6.0\n', rtx3090), 'runs on the RTX 3090 (compute capability 8.6)');
  assert.equal(
    hereOf('torch==2.12.0\n', rtx3090),
    'does not run: the driver is 535.54.03, and CUDA 13.0 needs 580.65.06',
  );
  const rtx5090 = machine([gpu('RTX 5090', '12.0')], '580.65.06');
  assert.equal(
    hereOf('torch==2.6.0\n', rtx5090),
    'does not run: it holds no code for the RTX 5090 (compute capability 12.0)',
  );
  assert.equal(hereOf('torch==2.6.0\n', machine([], '535.54.03')), 'no NVIDIA GPU can be used: it runs on the CPU');
  assert.equal(hereOf('torch==2.6.0+cpu\n', rtx5090), undefined);
  assert.equal(hereOf('torch==2.6.0\n', undefined), undefined);
});

test('is about requirements and images that are known', () => {
  const dockerfile = readEnvironment('dockerfile', 'FROM nvidia/cuda:12.1.1-base-ubuntu22.04\nRUN pip install numpy\n');
  assert.match(environmentMarkdown(dockerfile, 8, undefined)?.markdown ?? '', /\| CUDA \| 12\.1 \|/);
  assert.equal(environmentMarkdown(dockerfile, 60, undefined), undefined);
});
