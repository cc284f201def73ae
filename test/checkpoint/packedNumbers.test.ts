import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayHavePackedNumbers } from '../../server/src/checkpoint/formats/hdf5/packedNumbers.ts';

/** An HDF5 datatype message for a number: class and version, flags, size in bytes, first bit, number of bits. */
function numberType(size: number, offset: number, precision: number, kind = 0x10): Buffer {
  const message = Buffer.alloc(12);
  message[0] = kind;
  message[1] = 0x08;
  message.writeUInt32LE(size, 4);
  message.writeUInt16LE(offset, 8);
  message.writeUInt16LE(precision, 10);
  return Buffer.concat([Buffer.alloc(5, 0xff), message, Buffer.alloc(3, 0xff)]);
}

test('numbers that use all of their bits are not reported', () => {
  for (const size of [1, 2, 4, 8]) assert.equal(mayHavePackedNumbers(numberType(size, 0, 8 * size)), false);
  assert.equal(mayHavePackedNumbers(numberType(4, 0, 32, 0x11)), false);
  assert.equal(mayHavePackedNumbers(Buffer.alloc(4096)), false);
});

test('numbers that use only some of their bits are found', () => {
  assert.equal(mayHavePackedNumbers(numberType(1, 1, 7)), true);
  assert.equal(mayHavePackedNumbers(numberType(2, 0, 12)), true);
  assert.equal(mayHavePackedNumbers(numberType(4, 0, 24, 0x31)), true);
});
