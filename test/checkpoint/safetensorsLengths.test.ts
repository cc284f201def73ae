/** A safetensors file begins with the length of its header: eight bytes that may look like another format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { inMemory } from '../../server/src/checkpoint/bytes.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';

const HEADER = '{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}';

/** A sound file whose header is that long: blanks follow its JSON. */
function fileOf(length: number): Buffer {
  const header = Buffer.alloc(length, ' ');
  header.write(length < HEADER.length + 1 ? '{}' : `${HEADER}}`, 'latin1');
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(length));
  return Buffer.concat([size, header, Buffer.alloc(length < HEADER.length + 1 ? 0 : 4)]);
}

const LOOK_LIKE_ZLIB = [0x9c78, 0xda78, 0x0178, 0x5e78];
const LOOK_LIKE_GZIP = [0x8b1f, 0x088b1f];

test('every length of the header from 8 to 4,096 bytes is a safetensors file and nothing else', async () => {
  for (let length = 8; length <= 4096; length++) {
    const { format, safety, problems } = await readBytes(inMemory(fileOf(length)));
    assert.deepEqual([length, format, safety.verdict, problems], [length, 'safetensors', 'no-code', []]);
  }
});

test('longer headers that look like compressed data are safetensors files', async () => {
  for (const length of [...LOOK_LIKE_ZLIB, ...LOOK_LIKE_GZIP, 376, 40_056, 55_928]) {
    const { format, safety, problems } = await readBytes(inMemory(fileOf(length)));
    assert.deepEqual([length, format, safety.verdict, problems], [length, 'safetensors', 'no-code', []]);
  }
});

test('the verdict names the loader for which it holds', async () => {
  const { safety } = await readBytes(inMemory(fileOf(128)));
  assert.match(safety.reason, /^The safetensors library/);
});

test('a file that is cut off is not a whole one', async () => {
  const { safety } = await readBytes(inMemory(fileOf(128).subarray(0, -1)));
  assert.equal(safety.verdict, 'not-checked');
});

test('zlib data that decompresses is compressed data', async () => {
  const { format } = await readBytes(inMemory(deflateSync(Buffer.from('words '.repeat(100)))));
  assert.equal(format, 'compressed');
});
