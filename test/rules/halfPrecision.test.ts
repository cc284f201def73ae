import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProgram } from '../../server/src/guards/program.ts';
import { script } from '../../server/src/python/semantic/source.ts';
import { check } from '../../server/src/rules/engine/check.ts';

/** What the fixes of the last finding write, of a loop in which many branches assign to `x`. */
function offeredIn(first: string): string[] {
  const branches = '    if flags.pop():\n        x = x.step()\n'.repeat(400);
  const text = `import torch\nx = ${first}\nwhile flags:\n${branches}x.cuda()\n`;
  const [finding] = check(parseProgram(script('train.py', text)), { select: ['GPU202'] });
  return (finding?.fixes() ?? []).map(({ title }) => title);
}

test('half precision is found through branches that assign to one name over and over', () => {
  assert.notDeepEqual(offeredIn('load().half()'), offeredIn('load()'));
  assert.ok(offeredIn('load()').length > 0);
});
