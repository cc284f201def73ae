/** The machine builds the same objects as Python, in every protocol. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createBudget } from '../../server/src/checkpoint/budget.ts';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { interpretPickle } from '../../server/src/checkpoint/pickle/interpret.ts';
import type { Value } from '../../server/src/checkpoint/pickle/symbols.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const expected: unknown = JSON.parse(readFileSync(join(FIXTURES, 'pickles.json'), 'utf8'));

for (const name of globSync('pickles/*.pkl', { cwd: FIXTURES }).sort())
  test(name, async () => {
    const content = readFileSync(join(FIXTURES, name));
    const { value, trouble, end } = await interpretPickle(inMemory(content), 0, createBudget());
    assert.equal(trouble, undefined);
    assert.equal(end, content.length);
    assert.deepEqual(plain(value), expected);
  });

/** Converts a value to JSON. */
function plain(value: Value | undefined): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  switch (value.kind) {
    case 'list':
    case 'tuple':
      return value.items.map(plain);
    case 'dict':
      return Object.fromEntries(value.entries.map(([key, item]) => [key, plain(item)]));
    default:
      return value;
  }
}
