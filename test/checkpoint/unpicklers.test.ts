/** Files where a reader could stop although CPython continues: what follows is found or reported as not checked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBudget } from '../../server/src/checkpoint/budget.ts';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { SafetyVerdict } from '../../server/src/checkpoint/checkpoint.ts';
import { readTarMembers } from '../../server/src/checkpoint/encodings/tar.ts';
import { threatOf } from '../../server/src/checkpoint/pickle/readPickle.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';
import { npyWith, tarWith } from './archiveWriter.ts';
import { pickle, text } from './pickleWriter.ts';

const P2 = [0x80, 2];
const little = (value: number) => {
  const content = Buffer.alloc(4);
  content.writeInt32LE(value);
  return content;
};
const system = pickle('cposix\nsystem\n(X', little(4), 'truetR');
const harmful = pickle('0', system, '.');

/** Forms that CPython skips, each of which leaves one object on the stack. */
const skipped: Readonly<Record<string, Buffer>> = {
  'an integer up to a NUL': pickle('I1\0junk\n'),
  'an empty text up to a NUL': pickle('I\0junk\n'),
  'a long integer up to a NUL': pickle('L1\0junkL\n'),
  'a float up to a NUL': pickle('F1.5\0junk\n'),
  'a vertical tab before a number': pickle('I\x0b1\n'),
  'a memo index up to a NUL': pickle('Np1\0junk\n'),
  'a memo reference up to a NUL': pickle('Np7\n0g7\0x\n'),
  'a number of 5,000 bytes': pickle(0x8b, little(5000), Buffer.alloc(5000, 1)),
  'a number of 4,301 digits': pickle(`I${'7'.repeat(4301)}\n`),
  'a number of 200,000 digits': pickle(`L${'7'.repeat(200_000)}L\n`),
  'a number with a NUL in a line of 200,000': pickle(`I1\0${'x'.repeat(200_000)}\n`),
  'memo index 5,000,000': pickle('Nr', little(5_000_000)),
  '10,050 open marks': pickle('N', '('.repeat(10_050), '1'.repeat(10_050)),
  'a line of 17 MB': pickle(`V${'a'.repeat(17 * 1024 * 1024)}\n`),
};

/** Forms at which every CPython fails, so that it reads nothing after them. */
const failures: Readonly<Record<string, Buffer>> = {
  'an invalid opcode': pickle(P2, [0]),
  'a protocol that does not exist': pickle([0x80, 6], 'N'),
  'an empty stack': pickle('0'),
  'a missing mark': pickle('N1'),
  'an empty memo entry': pickle('h', 9),
  'an invalid number': pickle('Ijunk\n'),
  'an invalid number up to a NUL': pickle('Ijunk\0\n'),
  'a number without digits': pickle('F\n'),
  'a long line that is not a number': pickle(`F${'?'.repeat(200_000)}\n`),
  'a number of negative length': pickle(0x8b, little(-1)),
  'a string without quotes': pickle('Sa\n'),
  'an invalid escape': pickle("S'\\x4'\n"),
  'a module without a name': pickle('c\nsystem\n'),
  'its end': pickle('X', little(1_000_000)),
};

interface JoblibArray {
  readonly type: string;
  readonly count: number;
  readonly content: Buffer;
  readonly behind: Buffer;
  /** For a type whose state has its own size. */
  readonly size?: number;
  /** Bytes before the content. */
  readonly padding?: number;
}

/** A joblib file: the wrapper of an array, which `joblib.load` replaces with the bytes that follow. */
function joblibOf({ type, count, content, behind, size = -1, padding }: JoblibArray): Buffer {
  // Dates include their unit.
  const unit = type === 'M8' ? pickle('N(', 'C', 2, 'nsK', 1, 'K', 1, 'K', 1, 't', 0x86) : '';
  const state = pickle('(K', 3, text('<'), 'NNNJ', little(size), 'J', little(size < 0 ? -1 : 1), 'K', 0, unit, 'tb');
  const isPadded = padding !== undefined;
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
    pickle('cnumpy\ndtype\n', text(type), 0x89, 0x88, 0x87, 'R', state),
    text('allow_mmap'),
    [0x88],
    isPadded ? pickle(text('numpy_array_alignment_bytes'), 'K', 16) : Buffer.alloc(0),
    'ub',
    isPadded ? pickle(padding, Buffer.alloc(padding, 0xff)) : Buffer.alloc(0),
    content,
    behind,
  );
}

const STOP = Buffer.from('.');
const bytesIn = (content: Buffer, padding?: number) =>
  joblibOf({ type: 'u1', count: content.length, content, behind: STOP, padding });

const verdictOf = async (bytes: Buffer): Promise<SafetyVerdict> => (await readBytes(inMemory(bytes))).safety.verdict;
const isReported = (verdict: SafetyVerdict | undefined) =>
  verdict !== undefined && !['no-code', 'weights-only', 'refused'].includes(verdict);

for (const [name, before] of Object.entries(skipped)) {
  test(`CPython continues after ${name}`, async () => {
    assert.ok(isReported(await verdictOf(pickle(P2, before, harmful))));
    assert.ok(
      isReported((await threatOf(inMemory(pickle(before, harmful)), createBudget()))?.verdict),
      'in a file of another format',
    );
  });
  test(`pickle.load continues after ${name} in a joblib array`, async () => {
    const content = pickle('0', before, harmful);
    assert.ok(isReported(await verdictOf(bytesIn(content))));
  });
}

for (const [name, content] of Object.entries(failures)) {
  test(`CPython fails at ${name}`, async () => {
    assert.equal(await threatOf(inMemory(pickle(content, harmful)), createBudget()), undefined);
  });
  test(`pickle.load fails at ${name} in a joblib array`, async () => {
    const elements = pickle('0', content, harmful);
    const file = bytesIn(elements);
    // A module is imported before the failure, and a text that is cut off continues after the array.
    const isClean = !name.includes('module') && name !== 'its end';
    if (isClean) assert.equal(await verdictOf(file), 'refused');
  });
}

test("Python's own unpickler calls a name that the end of the file cuts off", async () => {
  assert.equal(await verdictOf(pickle(P2, '(X', little(4), 'trueiposix\nsystemX')), 'dangerous');
});

test('the content of an array that no unpickler gets through does not affect a joblib file', async () => {
  for (const content of [Buffer.alloc(64), Buffer.alloc(64, 1), pickle('2', Buffer.alloc(63))])
    assert.equal(await verdictOf(bytesIn(content)), 'refused');
});

test('an array that ends a pickle for pickle.load does not affect a joblib file', async () => {
  assert.equal(await verdictOf(bytesIn(pickle('N.', Buffer.alloc(62)))), 'refused');
  assert.ok(isReported(await verdictOf(bytesIn(pickle('N.', P2, system, '.', Buffer.alloc(62))))));
});

test('joblib before 1.2 reads the end of a padded array as instructions', async () => {
  const padding = 40;
  const ending = pickle('0', system, '0N');
  const content = pickle(Buffer.alloc(64), ending, Buffer.from('0N'.repeat((padding + 1 - ending.length) >> 1)));
  assert.equal(await verdictOf(bytesIn(content, padding)), 'dangerous');
  assert.equal(await verdictOf(bytesIn(content)), 'refused');
  for (const end of [0, 0x2e, 0x32, 0x4e, 0xff])
    assert.equal(await verdictOf(bytesIn(Buffer.alloc(64, end), 15)), 'refused', String(end));
});

/** Instructions hidden at the beginning of an array, where a reader would continue that treats the array as empty. */
function hidden(bytes: number, behind: Buffer): Buffer {
  const content = Buffer.alloc(bytes);
  pickle('0B', little(bytes - 6 + behind.length)).copy(content);
  return content;
}

for (const [type, size] of Object.entries({ d: 8, f: 4, l: 8, i: 4, q: 8, '?': 1, B: 1, e: 2, D: 16, g: 16 }))
  test(`the element type ${type} has ${size} bytes, or is not checked`, async () => {
    const behind = pickle('0', system);
    const file = joblibOf({ type, count: 64, content: hidden(64 * size, behind), behind: pickle(behind, STOP) });
    assert.ok(isReported(await verdictOf(file)));
  });

for (const type of ['f8', 'i4', 'b1', 'u1', 'S3', 'U1', 'V8', 'M8'])
  test(`the element type ${type}, in NumPy's spelling, is read`, async () => {
    const bytes = { f8: 8, i4: 4, b1: 1, u1: 1, S3: 3, U1: 4, V8: 8, M8: 8 }[type] as number;
    const isText = /[SUV]/.test(type);
    const file = joblibOf({
      type,
      count: 4,
      content: Buffer.alloc(4 * bytes),
      behind: STOP,
      size: isText ? bytes : -1,
    });
    assert.equal(await verdictOf(file), 'refused');
  });

for (const [descr, verdict] of Object.entries({
  '<f4': 'no-code',
  '<f': 'not-checked',
  '<i': 'not-checked',
  '|B': 'not-checked',
}) as [string, SafetyVerdict][])
  test(`an array of ${descr}: ${verdict}`, async () => {
    const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (16,), }`;
    assert.equal(await verdictOf(npyWith(header, Buffer.alloc(64))), verdict);
  });

test('a record whose objects NumPy skips is not checked', async () => {
  for (const field of ["('', '|O', (2,))", "('a', '|O', (0,))"]) {
    const header = `{'descr': [${field}, ('b', '|u1')], 'fortran_order': False, 'shape': (4,), }`;
    assert.equal(await verdictOf(npyWith(header, Buffer.from('N.N.'))), 'not-checked');
  }
});

const plainMember = { name: 'a.txt', content: Buffer.from('text') };
const inTar = async (...members: Parameters<typeof tarWith>[0][number][]) =>
  (await readTarMembers(inMemory(tarWith(members)))).doubts;
const record = (body: string) => `${body.length + 3} ${body}`;

test('tar headers that readers interpret differently are doubts', async () => {
  const folder = { name: 'folder', content: Buffer.from('hidden'), type: '5' };
  assert.match(String(await inTar(folder)), /with a size/);
  assert.match(String(await inTar({ ...folder, name: 'folder/', type: '\0' })), /with a size/);
  assert.match(String(await inTar({ ...plainMember, name: 'folder/' })), /name of a folder/);
  const short = { name: 'x', content: Buffer.from('12 comment=x16 size=512\n'), type: 'x' };
  assert.match(String(await inTar(short, plainMember)), /rename/);
  for (const field of ['0o4', '4x', '+4', '1_0', '-4', '\x80\0\0\0\0\0\0\0\0\0\0\x04'])
    assert.match(
      String((await readTarMembers(inMemory(withField(124, 12, field)))).doubts),
      /encodes a number|damaged/,
      field,
    );
  assert.match(String((await readTarMembers(inMemory(withField(108, 8, 'junk')))).doubts), /encodes a number/);
  const ofGnu = withField(345, 12, '17000000000', 'ustar  \0');
  assert.match(String((await readTarMembers(inMemory(ofGnu))).doubts), /prefix/);
});

test('tar headers as writers make them are not', async () => {
  assert.deepEqual(await inTar(plainMember, { name: 'folder/', content: Buffer.alloc(0), type: '5' }), []);
  const lines = { name: 'x', content: Buffer.from('28 comment=x16 size=512\nabc\n'), type: 'x' };
  assert.deepEqual(await inTar(lines, plainMember), []);
  const dates = Buffer.from(record('mtime=1700000000.25\n') + record('comment=of a writer\n'));
  assert.deepEqual(await inTar({ name: 'x', content: dates, type: 'x' }, plainMember), []);
  const { members } = await readTarMembers(inMemory(withField(345, 12, 'prefix')));
  assert.deepEqual([...members.keys()], ['prefix/a.txt']);
});

/** An archive of one file whose header has one changed field. */
function withField(start: number, length: number, value: string, magic = 'ustar\x0000'): Buffer {
  const archive = tarWith([plainMember]);
  archive.fill(0, start, start + length);
  archive.write(value, start, 'latin1');
  archive.write(magic, 257, 'latin1');
  archive.write(' '.repeat(8), 148);
  const sum = archive.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  archive.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return archive;
}
