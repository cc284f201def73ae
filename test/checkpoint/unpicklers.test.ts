/** Files at which a reader could stop where CPython goes on: what lies behind is found, or said not to be checked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudget } from '../../server/src/checkpoint/budget.ts';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { Verdict } from '../../server/src/checkpoint/checkpoint.ts';
import { threatOf } from '../../server/src/checkpoint/pickle/readPickle.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';
import { pickle, text } from './pickleWriter.ts';

const P2 = [0x80, 2];
const little = (value: number) => {
  const content = Buffer.alloc(4);
  content.writeInt32LE(value);
  return content;
};
const system = pickle('cposix\nsystem\n(X', little(4), 'truetR');
const harmful = pickle('0', system, '.');

/** What CPython passes over, each of which leaves one object on the stack. */
const passed: Readonly<Record<string, Buffer>> = {
  'a whole number up to a NUL': pickle('I1\0junk\n'),
  'nothing up to a NUL': pickle('I\0junk\n'),
  'a long number up to a NUL': pickle('L1\0junkL\n'),
  'a number with a point up to a NUL': pickle('F1.5\0junk\n'),
  'a vertical tab before a number': pickle('I\x0b1\n'),
  'an index up to a NUL': pickle('Np1\0junk\n'),
  'a remembered object by an index up to a NUL': pickle('Np7\n0g7\0x\n'),
  'a number of 5,000 bytes': pickle(0x8b, little(5000), Buffer.alloc(5000, 1)),
  'a number of 4,301 digits': pickle(`I${'7'.repeat(4301)}\n`),
  'a number of 200,000 digits': pickle(`L${'7'.repeat(200_000)}L\n`),
  'a number with a NUL in a line of 200,000': pickle(`I1\0${'x'.repeat(200_000)}\n`),
  'the number 5,000,000 of an object': pickle('Nr', little(5_000_000)),
  '10,050 open marks': pickle('N', '('.repeat(10_050), '1'.repeat(10_050)),
  'a line of 17 MB': pickle(`V${'a'.repeat(17 * 1024 * 1024)}\n`),
};

/** What every CPython fails at, so that nothing behind it is read. */
const failures: Readonly<Record<string, Buffer>> = {
  'what is no opcode': pickle(P2, [0]),
  'a protocol that does not exist': pickle([0x80, 6], 'N'),
  'an empty stack': pickle('0'),
  'a mark that is not there': pickle('N1'),
  'an object that is not remembered': pickle('h', 9),
  'a number that is none': pickle('Ijunk\n'),
  'a number that is none up to a NUL': pickle('Ijunk\0\n'),
  'a number without digits': pickle('F\n'),
  'a long line that is no number': pickle(`F${'?'.repeat(200_000)}\n`),
  'a number of a negative length': pickle(0x8b, little(-1)),
  'a text without quotes': pickle('Sa\n'),
  'an escape that is none': pickle("S'\\x4'\n"),
  'a module without a name': pickle('c\nsystem\n'),
  'its end': pickle('X', little(1_000_000)),
};

/** The content of a `data.pkl` of an array: its wrapper, of which `joblib.load` makes an array of the bytes behind it. */
function joblibOf(type: string, count: number, content: Buffer, behind: Buffer): Buffer {
  const dtype = pickle('cnumpy\ndtype\n', text(type), 0x89, 0x88, 0x87, 'R(K', 3, text('<'), 'NNNJ', little(-1));
  return pickle(
    [0x80, 4],
    'cjoblib.numpy_pickle\nNumpyArrayWrapper\n)',
    [0x81],
    '}(',
    text('subclass'),
    'cnumpy\nndarray\n',
    text('shape'),
    pickle('J', little(count), 0x85),
    text('order'),
    text('C'),
    text('dtype'),
    pickle(dtype, 'J', little(-1), 'K', 0, 'tb'),
    text('allow_mmap'),
    [0x88],
    'ub',
    content,
    behind,
  );
}

const verdictOf = async (bytes: Buffer): Promise<Verdict> => (await readBytes(inMemory(bytes))).safety.verdict;
const isReported = (verdict: Verdict | undefined) => verdict === 'not-checked' || verdict === 'dangerous';

for (const [name, before] of Object.entries(passed)) {
  test(`CPython goes on behind ${name}`, async () => {
    assert.ok(isReported(await verdictOf(pickle(P2, before, harmful))));
    assert.ok(
      isReported((await threatOf(inMemory(pickle(before, harmful)), createBudget()))?.verdict),
      'in a file of another format',
    );
  });
  test(`pickle.load goes on behind ${name} in an array of joblib`, async () => {
    const content = pickle('0', before, harmful);
    assert.ok(isReported(await verdictOf(joblibOf('u1', content.length, content, Buffer.from('.')))));
  });
}

for (const [name, content] of Object.entries(failures)) {
  test(`CPython fails at ${name}`, async () => {
    assert.equal(await threatOf(inMemory(pickle(content, harmful)), createBudget()), undefined);
  });
  test(`pickle.load fails at ${name} in an array of joblib`, async () => {
    const elements = pickle('0', content, harmful);
    const file = joblibOf('u1', elements.length, elements, Buffer.from('.'));
    // A module is imported before the failure, and a text that is cut off goes on behind the array.
    const isClean = !name.includes('module') && name !== 'its end';
    if (isClean) assert.equal(await verdictOf(file), 'refused');
  });
}

test('the unpickler in Python calls a name within which the file ends', async () => {
  assert.equal(await verdictOf(pickle(P2, '(X', little(4), 'trueiposix\nsystemX')), 'dangerous');
});

test('the content of an array that no unpickler gets through says nothing of a file of joblib', async () => {
  for (const content of [Buffer.alloc(64), Buffer.alloc(64, 1), pickle('2', Buffer.alloc(63))])
    assert.equal(await verdictOf(joblibOf('u1', 64, content, Buffer.from('.'))), 'refused');
});
