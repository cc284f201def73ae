import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readPaste } from '../../server/src/explain/reading/paste.ts';

const HERE = import.meta.dirname;

/** Final lines of tracebacks with ordinary errors, which GPU Doctor must not explain. */
const ordinary = (await readFile(path.join(HERE, 'ordinary.txt'), 'utf8')).trimEnd().split('\n');

const FRAMES = `Traceback (most recent call last):
  File "/home/ada/project/train.py", line 31, in <module>
    main(sys.argv[1:])
  File "/home/ada/project/train.py", line 20, in main
    outcome = step(batch)
`;

test('there are many different ones', () => {
  assert.equal(new Set(ordinary).size, ordinary.length);
  assert.ok(ordinary.length >= 390, String(ordinary.length));
});

test('ordinary errors have no explanation', () => {
  const known = ordinary.flatMap((line) =>
    readPaste(`${FRAMES}${line}\n`).messages.map(({ message }) => `${message.id}: ${line}`),
  );
  assert.deepEqual(known, []);
});

/** As nvcc 13 prints it. */
const MISTAKES_IN_A_KERNEL = `c.cu(2): error: identifier "factor" is undefined
  __attribute__((global)) void scale(float* p, int n) { int i = threadIdx.x; if (i < n) p[i] *= factor; }
                                                                                                ^

c.cu(3): error: expected a ";"
  int main() { scale<<<1, 1>>>(nullptr, 3) return 0; }
                                           ^

2 errors detected in the compilation of "c.cu".
`;

test('an ordinary mistake in a kernel has no explanation', () => {
  assert.deepEqual(readPaste(MISTAKES_IN_A_KERNEL).messages, []);
});

test("Lightning's output on every machine is not mistaken for another error", () => {
  const banner = 'GPU available: False, used: False\nTPU available: False, using: 0 TPU cores\n';
  const message = (text: string) =>
    readPaste(`${banner}${FRAMES}lightning.utilities.exceptions.MisconfigurationException: ${text}\n`).messages[0]
      ?.message.id;
  assert.equal(message('The lr scheduler dict must include a monitor when a `ReduceLROnPlateau` is used.'), undefined);
  assert.equal(message('No supported gpu backend found!'), 'lightning-no-gpu');
});
