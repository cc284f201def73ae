/** Loops with many branches that assign the same name, so that every assignment may reach every other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { checkProgram } from '../../server/src/rules/engine/check.ts';
import { rules } from '../../server/src/rules/index.ts';

/** The fixes for `last`, which follows a loop with such branches, with their tiers. */
function offeredAfter(first: string, assignment: string, last: string): string[] {
  const branches = `    if flags.pop():\n        ${assignment}\n`.repeat(400);
  const text = `import torch\n${first}\nwhile flags:\n${branches}${last}\n`;
  const [finding] = checkProgram(parseProgram(script('train.py', text)), rules, { select: ['GPU101', 'GPU202'] });
  return (finding?.fixes() ?? []).map(({ title, tier }) => `${title} (${tier})`);
}

test('half precision is found', () => {
  const [half, whole] = ['x = load().half()', 'x = load()'].map((first) =>
    offeredAfter(first, 'x = x.step()', 'x.cuda()'),
  );
  assert.ok((whole?.length ?? 0) > 0);
  assert.notDeepEqual(half, whole);
});

test('a device in scope is searched', () => {
  for (const assignment of ['device = device or other()', 'device = torch.device(device)'])
    assert.ok(offeredAfter('device = "cuda"', assignment, 'torch.load(path).to(device)').length > 0);
});
