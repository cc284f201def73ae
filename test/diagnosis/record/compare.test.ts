import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectStacks, type NamedStack } from '../../../server/src/diagnosis/record/compareMany.ts';
import { compareStacks } from '../../../server/src/diagnosis/record/compareStacks.ts';
import { driftVerdict, sentenceOf } from '../../../server/src/diagnosis/record/drift.ts';
import type { RecordedStack } from '../../../server/src/diagnosis/record/recordedStack.ts';

const H100 = { name: 'NVIDIA H100 80GB HBM3', memory: '80 GiB', 'compute-capability': '9.0' };
const STACK: RecordedStack = {
  format: '1',
  system: { os: 'Ubuntu 24.04.3 LTS', architecture: 'x64' },
  driver: '550.54.14',
  'driver-cuda': '12.4',
  gpus: [{ ...H100, count: '8' }],
  python: '3.11.7',
  frameworks: {
    torch: { version: '2.6.0+cu124', build: 'CUDA 12.4', cudnn: '9.1.0' },
    keras: { version: '3.10.0', backend: 'jax' },
  },
  packages: { numpy: '1.26.4', triton: '3.2.0' },
};

/** Returns the differences after a change to the stack: `path severity expected -> found`. */
function differences(change: Partial<RecordedStack>, isWhole = false): string[] {
  return compareStacks(STACK, { ...STACK, ...change }, isWhole).map(
    ({ path, severity, expected, found }) => `${path.join('.')} ${severity} ${expected} -> ${found}`,
  );
}
const torch = (change: object) => ({
  frameworks: { ...STACK.frameworks, torch: { ...STACK.frameworks?.torch, version: '2.6.0+cu124', ...change } },
});

describe('two stacks', () => {
  it('that are equal do not differ', () => assert.deepEqual(differences({}, true), []));

  it('differ in versions, with the possible damage as severity', () => {
    assert.deepEqual(differences(torch({ version: '3.0.0' })), ['frameworks.torch.version error 2.6.0+cu124 -> 3.0.0']);
    assert.deepEqual(differences(torch({ version: '2.10.0' })), [
      'frameworks.torch.version warning 2.6.0+cu124 -> 2.10.0',
    ]);
    assert.deepEqual(differences(torch({ version: '2.6.1+cu124' })), [
      'frameworks.torch.version information 2.6.0+cu124 -> 2.6.1+cu124',
    ]);
    assert.deepEqual(differences({ python: '3.12.7' }), ['python warning 3.11.7 -> 3.12.7']);
    assert.deepEqual(differences({ packages: { numpy: '2.0.0', triton: '3.3.0' } }), [
      'packages.numpy warning 1.26.4 -> 2.0.0',
      'packages.triton information 3.2.0 -> 3.3.0',
    ]);
  });

  it('differ in builds', () => {
    assert.deepEqual(differences(torch({ build: 'CPU', cudnn: undefined })), [
      'frameworks.torch.build error CUDA 12.4 -> CPU',
    ]);
    assert.deepEqual(differences(torch({ build: 'CUDA 11.8' })), [
      'frameworks.torch.build warning CUDA 12.4 -> CUDA 11.8',
    ]);
    assert.deepEqual(differences(torch({ build: 'CUDA 12.6' })), [
      'frameworks.torch.build information CUDA 12.4 -> CUDA 12.6',
    ]);
    assert.deepEqual(differences(torch({ cudnn: '8.9.2' })), ['frameworks.torch.cudnn warning 9.1.0 -> 8.9.2']);
  });

  it('differ in drivers if the current one is older', () => {
    assert.deepEqual(differences({ driver: '535.129.03', 'driver-cuda': '12.2' }), [
      'driver warning 550.54.14 -> 535.129.03',
      'driver-cuda warning 12.4 -> 12.2',
    ]);
    assert.deepEqual(differences({ driver: '570.10', 'driver-cuda': '12.8' }), [
      'driver information 550.54.14 -> 570.10',
      'driver-cuda information 12.4 -> 12.8',
    ]);
  });

  it('differ in GPUs', () => {
    const [eight, one] = ['8 × H100 80 GiB', 'H100 80 GiB'];
    assert.deepEqual(differences({ gpus: [H100] }), [`gpus warning ${eight} -> ${one}`]);
    assert.deepEqual(differences({ gpus: [] }), [`gpus error ${eight} -> none`]);
    assert.deepEqual(differences({ gpus: [{ ...H100, count: '16' }] }), [`gpus information ${eight} -> 16 × ${one}`]);
    const v100 = { name: 'Tesla V100', count: '8', memory: '32 GiB', 'compute-capability': '7.0' };
    assert.deepEqual(differences({ gpus: [v100] }), [`gpus.0.name warning ${eight} -> 8 × V100 32 GiB`]);
    const b200 = { name: 'NVIDIA B200', count: '8', memory: '180 GiB', 'compute-capability': '10.0' };
    assert.deepEqual(differences({ gpus: [b200] }), [`gpus.0.name information ${eight} -> 8 × B200 180 GiB`]);
    assert.deepEqual(differences({ gpus: [{ ...H100, count: '8', memory: '79 GiB' }] }), []);
    assert.deepEqual(differences({ gpus: [{ ...H100, count: '8', mig: '7 × 1g.10gb' }] }), [
      `gpus.0.mig warning ${eight} -> ${eight}, MIG 7 × 1g.10gb`,
    ]);
  });

  it('differ in missing packages and, for whole stacks, in additional ones', () => {
    const { keras } = STACK.frameworks ?? {};
    assert.deepEqual(
      differences({ frameworks: { keras } as RecordedStack['frameworks'], packages: { numpy: '1.26.4' } }),
      ['frameworks.torch error 2.6.0+cu124 -> null', 'packages.triton warning 3.2.0 -> null'],
    );
    const more = { packages: { ...STACK.packages, xformers: '0.0.29' } };
    assert.deepEqual(differences(more), []);
    assert.deepEqual(differences(more, true), ['packages.xformers information null -> 0.0.29']);
  });

  it('do not differ in facts that are unknown for one of them', () => {
    assert.deepEqual(differences({ driver: undefined, gpus: undefined }), []);
    assert.deepEqual(differences({ python: undefined, frameworks: undefined, packages: undefined }), []);
  });
});

describe('the messages about drift', () => {
  const found: RecordedStack = { ...STACK, gpus: [], python: '3.11.9', packages: { numpy: '1.26.4' }, driver: '570.1' };
  const drift = compareStacks(STACK, found, false);

  it('are one sentence per line', () => {
    assert.deepEqual(drift.map(sentenceOf), [
      'Driver is 570.1 here; 550.54.14 was recorded.',
      'Recorded: 8 × H100 80 GiB. This machine: none.',
      'Python is 3.11.9 here; 3.11.7 was recorded.',
      'There is no triton here; 3.2.0 was recorded.',
    ]);
  });

  it('are a diagnosis with the worst first', () => {
    const verdict = driftVerdict(drift, '/project/gpu-stack.yaml');
    assert.equal(verdict?.severity, 'warning');
    assert.equal(
      verdict?.finding,
      'Recorded: 8 × H100 80 GiB, triton 3.2.0, driver 550.54.14. This machine: no GPU, no triton, driver 570.1, and 1 more differs.',
    );
    assert.equal(
      driftVerdict(compareStacks(STACK, { ...STACK, python: '3.11.9' }, false), 'x')?.severity,
      'information',
    );
    assert.equal(driftVerdict([], 'x'), undefined);
  });
});

describe('many stacks', () => {
  const compare = (...stacks: [name: string, record: RecordedStack, isFile?: boolean][]) => {
    const all = collectStacks();
    for (const [name, record, isFile = false] of stacks) all.add({ name, record, isFile } satisfies NamedStack);
    return all.compare();
  };
  const other = { ...STACK, driver: '535.1' };

  it('are compared with the most common values', () => {
    const found = compare(['a', other], ['b', STACK], ['c', STACK], ['d', { ...STACK }], ['e', other]);
    assert.equal(found?.referenceKind, 'most');
    assert.deepEqual(found?.reference, ['b', 'c', 'd']);
    assert.deepEqual(
      found?.groups.map(({ names }) => names),
      [['a', 'e']],
    );
  });

  it('are compared with the most similar one if no two are equal, in any order', () => {
    const middle: NamedStack = { name: 'middle', record: STACK, isFile: false };
    const older: NamedStack = { name: 'older', record: { ...STACK, driver: '535.104.05' }, isFile: false };
    const other: NamedStack = { name: 'other', record: { ...STACK, ...torch({ version: '2.5.1' }) }, isFile: false };
    const orders = [
      [middle, older, other],
      [older, other, middle],
      [other, middle, older],
    ].map((stacks) => {
      const collection = collectStacks();
      for (const stack of stacks) collection.add(stack);
      return collection.compare();
    });
    assert.deepEqual(orders[0]?.reference, ['middle']);
    assert.deepEqual(orders[1], orders[0]);
    assert.deepEqual(orders[2], orders[0]);
  });

  it('are compared with the first of two', () => {
    const found = compare(['a', other], ['b', STACK]);
    assert.deepEqual([found?.referenceKind, found?.reference], ['first', ['a']]);
    assert.equal(found?.groups[0]?.differences[0]?.expected, '535.1');
  });

  it('are compared with the contents of a file', () => {
    const file: RecordedStack = { format: '1', driver: '550.54.14' };
    const found = compare(
      ['a', STACK],
      ['gpu-stack.yaml', file, true],
      ['b', { ...STACK, python: '3.9.1' }],
      ['c', other],
    );
    assert.deepEqual([found?.referenceKind, found?.reference], ['file', ['gpu-stack.yaml', 'a', 'b']]);
    assert.deepEqual(
      found?.groups.map(({ names }) => names),
      [['c']],
    );
  });
});
