import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pythonsOf } from '../../server/src/checkpoint/formats/keras/pythonBytecode.ts';

/** Code by CPython 2.7 to 3.13, by version and function. */
const codes: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/bytecode.json'), 'utf8'),
);

const READERS: readonly (readonly [since: string, until: string | undefined, writers: readonly string[]])[] = [
  ['2.3', '2.7', ['2.7']],
  ['3.0', '3.7', ['3.6', '3.7']],
  ['3.8', '3.10', ['3.8', '3.9', '3.10']],
  ['3.11', undefined, ['3.11', '3.12', '3.13']],
];

for (const [since, until, writers] of READERS)
  test(`code of Python ${writers.join(', ')} is readable from ${since} to ${until ?? 'today'}`, () => {
    const written = Object.entries(codes).filter(([name]) => writers.includes(name.split(' ')[0] ?? ''));
    assert.equal(written.length, 4 * writers.length);
    for (const [name, code] of written) {
      const found = pythonsOf(code);
      assert.deepEqual([found?.since, found?.until], [since, until], name);
    }
  });

test('code that is cut off, followed by more or in an unknown form belongs to no Python', () => {
  const whole = Buffer.from(codes['3.11 named'] ?? '', 'base64');
  for (let length = 0; length < whole.length; length++)
    assert.equal(pythonsOf(whole.subarray(0, length).toString('base64')), undefined, `${length} bytes`);
  assert.equal(pythonsOf(Buffer.concat([whole, Buffer.from([0])]).toString('base64')), undefined);
  assert.equal(pythonsOf('no code'), undefined);
  // A list of four billion items, and endlessly nested lists.
  assert.equal(pythonsOf(Buffer.from(`e3${'00'.repeat(20)}28ffffffff`, 'hex').toString('base64')), undefined);
  assert.equal(
    pythonsOf(Buffer.from(`e3${'00'.repeat(20)}${'2901'.repeat(5000)}`, 'hex').toString('base64')),
    undefined,
  );
});
