import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Checkpoint } from '../../server/src/checkpoint/checkpoint.ts';
import { summarizeCheckpoint } from '../../server/src/checkpoint/summary.ts';
import { checkpointMarkdown } from '../../server/src/report/checkpointHover.ts';

const CHECKPOINT: Checkpoint = {
  format: 'torch',
  size: 1234,
  writtenBy: 'PyTorch',
  tensors: [{ name: 'a', dtype: 'float32', shape: [2, 3], device: 'cuda:3', bytes: 24 }],
  devices: ['cuda:3'],
  imports: [],
  opcodes: [],
  safety: { verdict: 'weights-only', reason: 'It loads with `weights_only=True` in torch 1.13 and newer.' },
  problems: [],
};

test('the hover names what this machine lacks', () => {
  const here = { devices: { cuda: { count: 1, because: 'this machine has 1 GPU' } }, torch: '2.9.0' };
  const shown = checkpointMarkdown({ path: '/runs/best.pt', summary: summarizeCheckpoint(CHECKPOINT) }, { here });
  assert.match(
    shown,
    /\*\*This machine:\*\* `torch\.load\(path\)` fails\. The file contains tensors saved on `cuda:3`, and this machine has 1 GPU\. /,
  );
  assert.match(shown, /\| Parameters \| 6 \|/);
  assert.doesNotMatch(
    checkpointMarkdown({ path: '/runs/best.pt', summary: summarizeCheckpoint(CHECKPOINT) }, {}),
    /This machine/,
  );
});

test('the hover reports a checkpoint that is larger than the GPU', () => {
  const shownOn = (...totals: readonly number[]) => {
    const gpus = totals.map((total, index) => ({ name: `GPU ${index} (small)`, total, isSplit: false }));
    return checkpointMarkdown(
      { path: '/runs/best.pt', summary: summarizeCheckpoint(CHECKPOINT) },
      { here: { devices: {}, gpus } },
    );
  };
  assert.match(
    shownOn(16),
    /\*\*Memory:\*\* The tensors take 24 bytes, more than GPU 0 \\?\(small\\?\) has \\?\(16 bytes\\?\)\./,
  );
  for (const totals of [[24], [16, 64], []]) assert.doesNotMatch(shownOn(...totals), /Memory:/);
});

test("a file's text is shown without any effect", () => {
  const words = 'x` [y](command:workbench.action.quit) ![z](https://example.org/z.png) <a> https://example.org | **b**';
  const summary = summarizeCheckpoint({
    ...CHECKPOINT,
    writtenBy: words,
    safety: { verdict: 'dangerous', reason: `Unpickling it imports \`${words}\`, which can run any code.` },
    problems: [`The tensor \`${words}\` is cut off.`],
  });
  const shown = checkpointMarkdown({ path: '/a`b.pt', summary }, {});
  const outsideOfCode = shown.replace(/(?<![\\`])(`+)(?!`).+?(?<!`)\1(?!`)/g, '');
  for (const alive of [/(^|[^\\])\[/, /[^\\]</, /[^\\]:\/\//, /[^\\*]\*\*b/]) assert.doesNotMatch(outsideOfCode, alive);
  assert.equal(shown.split('\n').filter((line) => line.startsWith('|')).length, 8);
});

const HERE = { devices: { cuda: { count: 0, because: 'this machine has no GPU' } }, torch: '2.9.0' };
const shownOf = (changes: Partial<Checkpoint>) =>
  checkpointMarkdown(
    { path: '/runs/a', summary: summarizeCheckpoint({ ...CHECKPOINT, devices: undefined, ...changes }) },
    { here: HERE },
  );
const NO_CODE = { verdict: 'no-code', reason: 'The format holds tensors and text only, no code.' } as const;

test("a file's loader is named only if the file has no problem", () => {
  const sound = shownOf({ format: 'safetensors', safety: NO_CODE });
  assert.match(sound, /`safetensors\.torch\.load_file\(path\)` loads it\./);
  const problems = ['The file is cut off: 2 bytes of its tensors are missing.'];
  for (const format of ['safetensors', 'gguf', 'torchscript', 'pickle', 'tensorflow-checkpoint'] as const)
    assert.doesNotMatch(shownOf({ format, problems, devices: ['cpu'] }), / loads it\.|Loads\./, format);
  const safety = { verdict: 'not-checked', reason: 'Not checked: it can be read in more than one way.' } as const;
  assert.doesNotMatch(shownOf({ format: 'safetensors', safety, problems: [safety.reason] }), / loads it\.|Loads\./);
});

test('harmful members of an archive are named', () => {
  const reason = 'Its member `a.pkl`: Unpickling it imports `os.system`, which can run any code.';
  const shown = shownOf({
    format: 'zip',
    safety: { verdict: 'dangerous', reason },
    problems: ['It is a ZIP file.', reason],
  });
  assert.match(shown, /\*\*Safety:\*\* Dangerous\..*`os\.system`/);
});

test("an optimizer's state is not part of the model", () => {
  const tensor = (name: string) => ({ name, dtype: 'float32', shape: [10], bytes: 40 });
  const states = [
    'optimizer_states.0.state.0.exp_avg',
    'optimizer.state.1.step',
    'optimizer/vars/0',
    'optimizer_weights/Adam/m/dense/kernel:0',
    'dense/kernel/Adam_1',
    'layer/kernel/.OPTIMIZER_SLOT/optimizer/m',
  ];
  const weights = ['state_dict.model.optimizer_gate.weight', 'model.decoder.optim_head.bias', 'layers/dense/vars/0'];
  const { tensors } = summarizeCheckpoint({ ...CHECKPOINT, tensors: [...states, ...weights].map(tensor) });
  assert.equal(tensors.training.tensors, states.length);
  assert.equal(tensors.training.bytes, 40 * states.length);
  assert.equal(tensors.parameters, 10 * weights.length);
});
