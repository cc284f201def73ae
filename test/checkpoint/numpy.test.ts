/** Contents of NumPy files, compared with those that NumPy reads. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { Tensor } from '../../server/src/checkpoint/checkpoint.ts';
import { readBytes, readCheckpoint } from '../../server/src/checkpoint/read.ts';
import { pickle, stackGlobal, text } from './pickleWriter.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const expected: Record<string, unknown> = JSON.parse(readFileSync(join(FIXTURES, 'arrays.json'), 'utf8'));

for (const [name, tensors] of Object.entries(expected))
  test(`${name} has the contents that NumPy reports`, async () => {
    const checkpoint = await readCheckpoint(join(FIXTURES, 'arrays', name));
    assert.deepEqual(
      checkpoint.tensors.map(({ name, dtype, shape }: Tensor) => [name, dtype, shape]),
      tensors,
    );
    assert.deepEqual(checkpoint.problems, []);
    assert.equal(checkpoint.safety.verdict, name === 'packed.npz' ? 'refused' : 'no-code');
  });

test('a pickle within an array of objects is judged', async () => {
  const header = "{'descr': '|O', 'fortran_order': False, 'shape': (), }".padEnd(117).concat('\n');
  const start = Buffer.concat([Buffer.from('934e554d505901007600', 'hex'), Buffer.from(header)]);
  const attack = pickle([0x80, 4], stackGlobal('posix', 'system'), text('echo harmless'), 0x85, 'R.');
  const { safety } = await readBytes(inMemory(Buffer.concat([start, attack])));
  assert.equal(safety.verdict, 'dangerous');
});

test('an ONNX model is recognized and has no problem', async () => {
  const { format, writtenBy, problems } = await readCheckpoint(join(FIXTURES, 'arrays/linear.onnx'));
  assert.equal(format, 'onnx');
  assert.match(writtenBy ?? '', /^pytorch 2\.15/);
  assert.deepEqual(problems, []);
});
