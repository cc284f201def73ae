/** Only the description of a large checkpoint is read. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Bytes } from '../../server/src/checkpoint/bytes.ts';
import { readBytes } from '../../server/src/checkpoint/read.ts';

const HOLE = 10 * 1024 ** 3;
const MOST_READ = 2_000_000;

/** Returns `head`, ten gigabytes of zeros and `tail`, and counts the bytes read. */
function withHole(head: Buffer, tail: Buffer): Bytes & { readonly read: Bytes['read']; count: number } {
  const size = head.length + HOLE + tail.length;
  const bytes = {
    size,
    count: 0,
    async read(offset: number, length: number) {
      const end = Math.min(size, offset + length);
      bytes.count += Math.max(0, end - offset);
      const content = Buffer.alloc(Math.max(0, end - offset));
      head.copy(content, 0, Math.min(offset, head.length), Math.min(end, head.length));
      const start = size - tail.length;
      if (end > start) tail.copy(content, Math.max(0, start - offset), Math.max(0, offset - start), end - start);
      return content;
    },
  };
  return bytes;
}

test('a PyTorch file of 10 GB', async () => {
  const original = readFileSync(join(import.meta.dirname, 'fixtures/torch/cuda0.pt'));
  const last = Buffer.from(original.subarray(-22));
  const directory = last.readUInt32LE(16);
  const end = directory + last.readUInt32LE(12);
  const entries = last.readUInt16LE(10);
  // The hole is a member's content. It moves the directory beyond 4 GiB, so both need ZIP64 records.
  const name = Buffer.from('cuda0/data/hole');
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46 + name.length + 20);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.fill(0xff, 20, 28);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(20, 30);
  entry.writeUInt32LE(directory, 42);
  name.copy(entry, 46);
  entry.writeUInt32LE(0x00100001, 46 + name.length);
  for (const at of [50, 58]) entry.writeBigUInt64LE(BigInt(HOLE), at + name.length);
  const start = directory + head.length + name.length + HOLE;
  const table = Buffer.concat([original.subarray(directory, end), entry]);
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(entries + 1), 24);
  record.writeBigUInt64LE(BigInt(entries + 1), 32);
  record.writeBigUInt64LE(BigInt(table.length), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(start + table.length), 8);
  locator.writeUInt32LE(1, 16);
  last.fill(0xff, 8, 20);
  const bytes = withHole(
    Buffer.concat([original.subarray(0, directory), head, name]),
    Buffer.concat([table, record, locator, last]),
  );
  const { devices, tensors, problems } = await readBytes(bytes);
  assert.deepEqual({ devices, problems, tensors: tensors.length }, { devices: ['cuda:0'], problems: [], tensors: 9 });
  assert.ok(bytes.count < MOST_READ, `${bytes.count} bytes were read`);
});

test('a safetensors file of 10 GB', async () => {
  const header = JSON.stringify({ weight: { dtype: 'F32', shape: [HOLE / 4096, 1024], data_offsets: [0, HOLE] } });
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const bytes = withHole(Buffer.concat([length, Buffer.from(header)]), Buffer.alloc(0));
  const { tensors, problems } = await readBytes(bytes);
  assert.deepEqual({ problems, bytes: tensors[0]?.bytes }, { problems: [], bytes: HOLE });
  assert.ok(bytes.count < MOST_READ, `${bytes.count} bytes were read`);
});

test('a pickle with an array of 10 GB', async () => {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(HOLE));
  const bytes = withHole(Buffer.concat([Buffer.from([0x80, 4, 0x8e]), length]), Buffer.from('cos\nsystem\n.'));
  const { safety } = await readBytes(bytes);
  assert.equal(safety.verdict, 'dangerous');
  assert.ok(bytes.count < MOST_READ, `${bytes.count} bytes were read`);
});
