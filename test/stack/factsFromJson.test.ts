/** Facts of another machine: the output of `gpu-doctor stack --output-format json` is accepted, and errors in it are named. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../scripts/root.ts';
import { judgeStack } from '../../server/src/diagnosis/judgeStack.ts';
import type { StackFacts } from '../../server/src/stack/facts/facts.ts';
import { factsFromJson } from '../../server/src/stack/facts/factsFromJson.ts';
import { readStack } from '../../server/src/stack/readStack.ts';
import { loadRecording, recordedMachine } from './recordedMachine.ts';

async function factsOf(name: string): Promise<StackFacts> {
  const folder = path.join(root, 'test', 'stack', 'machines', name);
  const recording = await loadRecording(folder);
  return readStack({ machine: recordedMachine(folder, recording), folders: recording.folders ?? [] });
}

test('the output for any machine is read back unchanged', async () => {
  for (const name of [
    'a100-mig',
    'colab-t4',
    'conda-with-pip-torch',
    'two-toolkits',
    'windows-tensorflow-2.10',
    'wsl1',
  ]) {
    const facts = await factsOf(name);
    const read = factsFromJson(JSON.parse(JSON.stringify(facts)));
    assert.ok('facts' in read, `${name}: ${'trouble' in read ? read.trouble : ''}`);
    assert.deepEqual(judgeStack(read.facts), judgeStack(facts), name);
  }
});

/** A path, its new value or undefined to delete it, and the resulting message. */
const WRONG: readonly [place: string, value: unknown, trouble: string][] = [
  ['gpus.value.0.name', 4, 'has a number at gpus.value[0].name, where text is expected'],
  ['gpus.value', {}, 'has an object at gpus.value, where a list is expected'],
  ['frameworks.torch.value.cuda', 12.4, 'has a number at frameworks.torch.value.cuda, where text or null is expected'],
  ['frameworks.torch.value.target', 'gpu', 'has "gpu" at frameworks.torch.value.target, which is not an allowed value'],
  ['packages.value', ['numpy'], 'has text at packages.value[0], where an object is expected'],
  [
    'variables.value.LD_LIBRARY_PATH',
    ['/usr'],
    'has a list at variables.value.LD_LIBRARY_PATH, where text is expected',
  ],
  ['wsl.value', 3, 'has 3 at wsl.value, which is not an allowed value'],
  ['driver', { unknown: 'so' }, 'has no driver.readAt'],
];

function written(facts: object, place: string, value: unknown): unknown {
  const copy: unknown = structuredClone(facts);
  const steps = place.split('.');
  const last = steps.pop() ?? '';
  const inner = steps.reduce((each, step) => (each as Record<string, unknown>)[step], copy) as Record<string, unknown>;
  inner[last] = value;
  return JSON.parse(JSON.stringify(copy));
}

test('a value of the wrong type is named', async () => {
  const facts = await factsOf('extensions-that-fit');
  for (const [place, value, trouble] of WRONG) {
    const read = factsFromJson(written(facts, place, value));
    assert.ok('trouble' in read, trouble);
    assert.equal(read.trouble, `${trouble}: it is not what \`gpu-doctor stack --output-format json\` prints`);
  }
});

/** A path that an older version did not print and its default; undefined if the fact is then unknown. */
const MISSING_FIELDS: readonly [place: string, taken: unknown][] = [
  ['frameworks.torch.value.pinned', []],
  ['frameworks.torch.value.installer', null],
  ['frameworks.torch.value.alsoInstalled', []],
  ['gpus.value.0.mig', null],
  ['gpus.value.0.migInstances', []],
  ['interpreter.value.architecture', null],
  ['gpus.value.0.index', undefined],
  ['deviceFiles.value.0.usable', undefined],
  ['os.value.architecture', undefined],
];

test('a field that an older version did not print is unknown, and nothing is concluded from its absence', async () => {
  const facts = await factsOf('extensions-that-fit');
  const known = new Set(judgeStack(facts).map(({ id }) => id));
  for (const [place, taken] of MISSING_FIELDS) {
    const read = factsFromJson(written(facts, place, undefined));
    assert.ok('facts' in read, `${place}: ${'trouble' in read ? read.trouble : ''}`);
    const [name = ''] = place.split('.');
    const fact = (read.facts as unknown as Record<string, object>)[name] ?? {};
    if (taken === undefined) assert.ok('unknown' in fact, place);
    else assert.deepEqual(at(read.facts, place), taken, place);
    for (const { id } of judgeStack(read.facts)) assert.ok(known.has(id), `${place}: ${id}`);
  }
});

function at(facts: object, place: string): unknown {
  return place.split('.').reduce<unknown>((each, step) => (each as Record<string, unknown>)[step], facts);
}

test('facts unknown to the printing version, and additions by a newer one, do no harm', async () => {
  const { fabric: _, ...facts } = JSON.parse(JSON.stringify(await factsOf('extensions-that-fit')));
  facts.gpus.value[0].colour = 'green';
  const read = factsFromJson({ ...facts, weather: 'fine' });
  assert.ok('facts' in read);
  assert.ok('unknown' in read.facts.fabric);
});
