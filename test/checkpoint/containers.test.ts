/** Files in which readers find different things. The verdict must hold for every reader. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import type { SafetyVerdict } from '../../server/src/checkpoint/checkpoint.ts';
import { isTar } from '../../server/src/checkpoint/encodings/tar.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';
import { npyWith, tarWith, type ZipOptions, zipWith } from './archiveWriter.ts';
import { pickle } from './pickleWriter.ts';

const CLEAN = pickle([0x80, 2], '}.');
const EVIL = pickle([0x80, 2], 'cos\nsystem\n', 'X', [4, 0, 0, 0], 'true', 0x85, 'R.');
const TEXT_EVIL = pickle("cos\nsystem\n(S'true'\ntR.");
const VERSION = { name: 'a/version', content: Buffer.from('3\n') };

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'fixtures', name));
const torchZip = (content: Buffer, options?: ZipOptions) =>
  zipWith([{ name: 'a/data.pkl', content }, VERSION], options);

/** Returns a tar archive of PyTorch 0.1 whose first member has an arbitrary name. */
const oldTar = (object: Buffer, first: Buffer | string = 'first') =>
  tarWith([
    { name: first, content: Buffer.alloc(0) },
    ...Object.entries({ sys_info: CLEAN, pickle: object, tensors: ZERO, storages: ZERO_AND_VIEWS }).map(
      ([name, content]) => ({ name, content }),
    ),
  ]);
/** Removes the magic of newer archives and sets the checksum of the first header. */
function withChecksum(tar: Buffer, spelled: (digits: string) => string): Buffer {
  tar.fill(0, 257, 263);
  tar.write(' '.repeat(8), 148);
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  tar.write(spelled(sum.toString(8).padStart(6, '0')), 148, 'latin1');
  return tar;
}
const ZERO = pickle([0x80, 2], 'K', 0, '.');
const ZERO_AND_VIEWS = Buffer.concat([ZERO, pickle([0x80, 2], '].')]);

/** Returns a pickle with a whole file embedded as bytes at the given offset. */
const pickleAround = (inner: Buffer, at: number) => {
  const start = Buffer.concat([EVIL.subarray(0, -1), Buffer.from('0B')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(at - start.length - 4 + inner.length);
  return Buffer.concat([start, length, Buffer.alloc(at - start.length - 4), inner, Buffer.from('.')]);
};

const npy = (type: string, content: Buffer) =>
  npyWith(`{'descr': ${type}, 'fortran_order': False, 'shape': (1,), }`, content);
const floats = npy("'<f4'", Buffer.alloc(4));

const files: Record<string, readonly [content: Buffer, verdict: SafetyVerdict, reason?: RegExp]> = {
  'a ZIP file as PyTorch writes it': [torchZip(CLEAN), 'weights-only'],
  'a pickle with an HDF5 file at 512': [pickleAround(fixture('keras/model.h5'), 512), 'dangerous'],
  'a pickle with an HDF5 file at 32768': [pickleAround(fixture('keras/model.h5'), 32_768), 'dangerous'],
  'a clean pickle with an HDF5 file at 1024': [
    Buffer.concat([pickle([0x80, 2], 'N.'), Buffer.alloc(1020), fixture('keras/model.h5')]),
    'not-checked',
  ],
  'a pickle that starts like safetensors': [
    Buffer.concat([pickle('B', [8, 0, 0, 0], '\0\0\0{    0'), EVIL.subarray(2), Buffer.alloc(3000, ' ')]),
    'dangerous',
  ],
  'a pickle that starts like GGUF': [
    Buffer.concat([pickle('GGUF', [3, 0, 0, 0], '\0', '0'), EVIL.subarray(2)]),
    'dangerous',
  ],
  'an old tar whose first name is a pickle': [oldTar(CLEAN, TEXT_EVIL), 'dangerous'],
  'an old tar whose first name is a ZIP signature, followed by a ZIP file': [
    Buffer.concat([oldTar(EVIL, 'PK\x05\x06x'), torchZip(CLEAN)]),
    'dangerous',
  ],
  'an old tar without a magic number': [withChecksum(oldTar(EVIL), (digits) => `${digits}\0 `), 'dangerous'],
  'a safetensors file followed by a ZIP file': [
    Buffer.concat([fixture('others/kinds.safetensors'), torchZip(CLEAN)]),
    'not-checked',
    /safetensors file is incomplete or damaged/,
  ],
  'names in capitals': [
    zipWith([{ name: 'a/DATA.PKL', content: EVIL }, VERSION, { name: 'b/data.pkl', content: CLEAN }]),
    'dangerous',
  ],
  'clean names that differ by case': [
    zipWith([
      { name: 'a/data.pkl', content: CLEAN },
      { name: 'a/DATA.pkl', content: CLEAN },
    ]),
    'not-checked',
    /more than one member named `a\/DATA.pkl`/,
  ],
  'a pickle that occurs twice, the second time with a payload': [
    zipWith([
      { name: 'a/data.pkl', content: CLEAN },
      { name: 'a/data.pkl', content: EVIL },
    ]),
    'dangerous',
  ],
  'a fake package': [
    zipWith([
      { name: 'a/data.pkl', content: EVIL },
      { name: 'a/.data/extern_modules', content: Buffer.alloc(0) },
    ]),
    'dangerous',
  ],
  'a fake exported program': [
    zipWith([
      { name: 'a/data.pkl', content: EVIL },
      { name: 'a/archive_format', content: Buffer.from('pt2') },
    ]),
    'dangerous',
  ],
  'a TorchScript program with a pickle that torch before 1.6 reads': [
    zipWith([
      { name: 'a/data.pkl', content: EVIL },
      { name: 'a/constants.pkl', content: CLEAN },
    ]),
    'dangerous',
  ],
  'an end record with a count that is too small': [
    zipWith([VERSION, { name: 'a/data.pkl', content: EVIL }], { count: 1 }),
    'dangerous',
  ],
  'a clean file whose end record has a count that is too small': [
    zipWith([{ name: 'a/data.pkl', content: CLEAN }, VERSION], { count: 1 }),
    'not-checked',
    /counts 1 members/,
  ],
  'bytes before the ZIP file': [torchZip(CLEAN, { before: Buffer.from('PK\x03\x04') }), 'not-checked'],
  'bytes after the ZIP file': [torchZip(CLEAN, { behind: Buffer.from('xx') }), 'not-checked', /after its end record/],
  'bytes between the members and the directory': [
    torchZip(CLEAN, { gap: Buffer.alloc(4096) }),
    'not-checked',
    /does not belong to a member/,
  ],
  'an end record in the comment': [
    torchZip(CLEAN, { comment: Buffer.from('PK\x05\x06xxxxxxxxxx', 'latin1') }),
    'not-checked',
    /second end record/,
  ],
  'a member with a second name in its extra fields': [
    zipWith([{ name: 'a/data.pkl', content: CLEAN, extra: Buffer.from('75700900010000000061626364', 'hex') }]),
    'not-checked',
    /second name/,
  ],
  'a regular comment': [torchZip(CLEAN, { comment: Buffer.from('made by hand') }), 'weights-only'],
  'members that overlap': [
    zipWith([
      { name: 'a/data.pkl', content: CLEAN },
      { ...VERSION, offset: 4 },
    ]),
    'not-checked',
    /overlaps/,
  ],
  'a member with another name in its local header': [
    zipWith([{ name: 'a/data.pkl', localName: 'a/data.txt', content: CLEAN }]),
    'not-checked',
    /header of its member `a\/data.pkl` differs/,
  ],
  'a member that is marked as encrypted': [
    zipWith([{ name: 'a/data.pkl', content: CLEAN, flags: 1 }]),
    'not-checked',
    /encrypted/,
  ],
  'a name with a NUL': [
    zipWith([
      { name: 'a/data.pkl', content: CLEAN },
      { name: 'a/version\0x', content: CLEAN },
    ]),
    'not-checked',
  ],
  'a second pickle that torch does not read': [
    zipWith([
      { name: 'a/data.pkl', content: CLEAN },
      { name: 'a/other.pkl', content: EVIL },
    ]),
    'dangerous',
    /^Its member `a\/other.pkl`: /,
  ],
  'a text that torch does not read': [
    zipWith([
      { name: 'a/data.pkl', content: CLEAN },
      { name: 'a/read.me', content: Buffer.from('Hello!') },
    ]),
    'not-checked',
    /`a\/read.me`/,
  ],
  'a pickle in a plain ZIP file': [zipWith([{ name: 'm/w.pkl', content: EVIL }]), 'dangerous'],
  'a clean pickle in a plain ZIP file': [zipWith([{ name: 'm/w.pkl', content: CLEAN }]), 'not-checked'],
  'a pickle in a tar in a tar': [
    tarWith([{ name: 'inner.tar', content: tarWith([{ name: 'm.pkl', content: EVIL }]) }]),
    'dangerous',
  ],
  'an old tar with a link': [
    tarWith([
      { name: 'storages', content: Buffer.alloc(0), type: '2' },
      { name: 'sys_info', content: CLEAN },
      { name: 'pickle', content: CLEAN },
      { name: 'tensors', content: ZERO },
    ]),
    'not-checked',
  ],
  'a pickle compressed with gzip': [gzipSync(EVIL), 'dangerous'],
  'a pickle compressed with zlib': [deflateSync(EVIL), 'dangerous'],
  'a clean pickle compressed with zlib': [deflateSync(CLEAN), 'refused'],
  'a file compressed with bzip2': [Buffer.from('BZh91AY&SY'), 'not-checked'],
  'an array of numbers': [floats, 'no-code'],
  'an array that contains the bytes of an end record': [
    npyWith(
      "{'descr': '|S40', 'fortran_order': False, 'shape': (1,), }",
      Buffer.from('PK\x05\x06'.padEnd(40, '\x01'), 'latin1'),
    ),
    'no-code',
  ],
  'an array written by Python 2': [
    npyWith("{'descr': '<f4', 'fortran_order': False, 'shape': (1L,), }", Buffer.alloc(4)),
    'no-code',
  ],
  'an array that contains a ZIP file': [
    (() => {
      const inner = torchZip(CLEAN);
      return npyWith(`{'descr': '|S${inner.length}', 'fortran_order': False, 'shape': (1,), }`, inner);
    })(),
    'not-checked',
    /as a NumPy array and a ZIP file/,
  ],
  'two arrays in one file': [Buffer.concat([floats, floats]), 'no-code'],
  'an array followed by other bytes': [Buffer.concat([floats, EVIL]), 'not-checked', /after its array/],
  'an array that is cut off': [npy("'<f4'", Buffer.alloc(3)), 'not-checked', /1 bytes of its array are missing/],
  'an array header with a duplicate key': [npy("'<f4', 'descr' : '|O'", EVIL), 'not-checked'],
  'an array with a field named like a type': [npy(`[("'descr': '<f4'", '|O')]`, EVIL), 'dangerous'],
  'an array with objects in a nested field': [npy("[('a', [('b', '<f4'), ('c', '|O', (2,))])]", EVIL), 'dangerous'],
  'an array with objects under a title': [npy("[(('<f4', 'b'), '|O')]", EVIL), 'dangerous'],
  'an array with a type in several words': [npy("'f4,O'", EVIL), 'not-checked'],
  'an array with a type in two strings': [npy("'|' 'O'", EVIL), 'not-checked'],
  'an array of records': [npy("[('a', '<f4'), ('b', '<i8', (2,))]", Buffer.alloc(20)), 'no-code'],
  'an archive of arrays, one of them without a suffix': [
    zipWith([
      { name: 'a.npy', content: floats },
      { name: 'b', content: npy("'|O'", EVIL) },
    ]),
    'dangerous',
  ],
  'an archive with the payload in its 10,001st array': [
    zipWith([
      ...Array.from({ length: 10_000 }, (_, index) => ({ name: `a${index}.npy`, content: floats })),
      { name: 'z.npy', content: npy("'|O'", EVIL) },
    ]),
    'dangerous',
  ],
  'an archive of arrays': [zipWith([{ name: 'a.npy', content: floats }]), 'no-code'],
};

for (const [name, [content, verdict, reason]] of Object.entries(files))
  test(`${name}: ${verdict}`, async () => {
    const { safety, problems } = await readBytes(inMemory(content));
    assert.equal(safety.verdict, verdict, safety.reason);
    if (reason) assert.match(safety.reason, reason);
    const isGood = verdict === 'no-code' || verdict === 'weights-only' || verdict === 'refused';
    assert.equal(problems.length > 0, !isGood, problems.join('\n'));
  });

test('the checksum of a tar header may be surrounded by any white space that Python strips, and no other', () => {
  const isTarWith = (before: string, behind: string) =>
    isTar(withChecksum(oldTar(CLEAN), (digits) => before + digits + behind));
  for (const blank of ' \t\n\v\f\r\x1c\x1d\x1e\x1f') {
    assert.ok(isTarWith(blank, '\0'), JSON.stringify(blank));
    assert.ok(isTarWith('', blank), JSON.stringify(blank));
  }
  for (const other of ['\x1b', '\x7f', '\x85', '\xa0', '8', 'x'])
    assert.ok(!isTarWith(other, '\0'), JSON.stringify(other));
});

test('a tar header with a checksum after a separator is read as a tar archive', async () => {
  const { format, safety } = await readBytes(inMemory(withChecksum(oldTar(EVIL), (digits) => `\x1f${digits}\0`)));
  assert.equal(format, 'tar');
  assert.equal(safety.verdict, 'not-checked');
});
