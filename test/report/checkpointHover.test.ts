import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Checkpoint } from '../../server/src/checkpoint/checkpoint.ts';
import { summarize } from '../../server/src/checkpoint/summary.ts';
import { checkpointMarkdown } from '../../server/src/report/checkpointHover.ts';

const CHECKPOINT: Checkpoint = {
  format: 'torch',
  size: 1234,
  writtenBy: 'PyTorch',
  tensors: [{ name: 'a', dtype: 'float32', shape: [2, 3], device: 'cuda:3', bytes: 24 }],
  devices: ['cuda:3'],
  imports: [],
  opcodes: [],
  safety: { verdict: 'weights-only', reason: 'It loads with `weights_only=True`, by the list of torch 2.15.' },
  problems: [],
};

test('a checkpoint at a glance names what this machine lacks', () => {
  const here = { devices: { cuda: { count: 1, because: 'this machine has 1 GPU' } }, torch: '2.9.0' };
  const shown = checkpointMarkdown({ path: '/runs/best.pt', summary: summarize(CHECKPOINT) }, { here });
  assert.match(
    shown,
    /\*\*This machine:\*\* `torch\.load\(path\)` fails\. It holds tensors that were saved on `cuda:3`, and this machine has 1 GPU\. /,
  );
  assert.match(shown, /\| Parameters \| 6 \|/);
  assert.doesNotMatch(
    checkpointMarkdown({ path: '/runs/best.pt', summary: summarize(CHECKPOINT) }, {}),
    /This machine/,
  );
});

test("a file's own words are shown and do nothing", () => {
  const words = 'x` [y](command:workbench.action.quit) ![z](https://example.org/z.png) <a> https://example.org | **b**';
  const summary = summarize({
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
