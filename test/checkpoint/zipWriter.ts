import { deflateRawSync } from 'node:zlib';

/** Returns a ZIP file with compressed members and `copies` of the first one, whose declared size the directory sets. */
export function zipOf(name: string, content: Buffer, told = content.length, copies = 1): Buffer {
  const packed = deflateRawSync(content);
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(told, 22);
  head.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(told, 24);
  entry.writeUInt16LE(name.length, 28);
  const start = head.length + name.length + packed.length;
  const table = Buffer.alloc((entry.length + name.length) * copies, Buffer.concat([entry, Buffer.from(name)]));
  return Buffer.concat([head, Buffer.from(name), packed, table, endOf(copies, table.length, start)]);
}

function endOf(count: number, size: number, start: number): Buffer {
  const record = Buffer.alloc(56 + 20 + 22);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  for (const [index, value] of [count, count, size, start].entries())
    record.writeBigUInt64LE(BigInt(value), 24 + 8 * index);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(start + size), 64);
  record.writeUInt32LE(1, 72);
  record.writeUInt32LE(0x06054b50, 76);
  record.fill(0xff, 84, 96);
  return record;
}
