/** Writes archives whose fields may contradict each other, as an attacker could. */
import { crc32 } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  readonly content: Buffer;
  /** Values in the local header, if they differ. */
  readonly localName?: string;
  readonly flags?: number;
  /** Extra fields in the central directory. */
  readonly extra?: Buffer;
  /** Declared offset of the local header. */
  readonly offset?: number;
}

export interface ZipOptions {
  readonly before?: Buffer;
  readonly behind?: Buffer;
  readonly comment?: Buffer;
  /** Member count in the end record. */
  readonly count?: number;
  /** Bytes between the members and the central directory. */
  readonly gap?: Buffer;
}

/** Writes a ZIP file of stored members. */
export function zipWith(members: readonly ZipMember[], options: ZipOptions = {}): Buffer {
  const { before = NOTHING, behind = NOTHING, comment = NOTHING, gap = NOTHING, count = members.length } = options;
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const { name, content, localName = name, flags = 0, extra = NOTHING, offset = at } of members) {
    const local = Buffer.concat([fields(0x04034b50, content, localName, flags, 30), Buffer.from(localName), content]);
    const entry = fields(0x02014b50, content, name, flags, 46);
    entry.writeUInt32LE(offset, 42);
    entry.writeUInt16LE(extra.length, 30);
    parts.push(local);
    entries.push(entry, Buffer.from(name), extra);
    at += local.length;
  }
  const table = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(table.length, 12);
  end.writeUInt32LE(at + gap.length, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([before, ...parts, gap, table, end, comment, behind]);
}

const NOTHING = Buffer.alloc(0);

/** Writes a local header or a central directory entry, which share all fields after their beginning. */
function fields(signature: number, content: Buffer, name: string, flags: number, size: 30 | 46): Buffer {
  const header = Buffer.alloc(size);
  const shift = size === 46 ? 2 : 0;
  header.writeUInt32LE(signature, 0);
  header.writeUInt16LE(flags, 6 + shift);
  header.writeUInt32LE(crc32(content), 14 + shift);
  header.writeUInt32LE(content.length, 18 + shift);
  header.writeUInt32LE(content.length, 22 + shift);
  header.writeUInt16LE(Buffer.byteLength(name), 26 + shift);
  return header;
}

/** Writes a tar archive; `type` is `0` for a file, `2` for a symbolic link. */
export function tarWith(members: readonly { name: Buffer | string; content: Buffer; type?: string }[]): Buffer {
  const parts = members.flatMap(({ name, content, type = '0' }) => {
    const header = Buffer.alloc(512);
    Buffer.from(name).copy(header, 0);
    header.write(`${content.length.toString(8).padStart(11, '0')} `, 124);
    header.write(' '.repeat(8), 148);
    header.write(type, 156);
    header.write('ustar\0', 257, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** Writes an array in NumPy's own format with the given header and content. */
export function npyWith(header: string, content: Buffer): Buffer {
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 0, 0]);
  start.writeUInt16LE(header.length + 1, 8);
  return Buffer.concat([start, Buffer.from(`${header}\n`, 'latin1'), content]);
}
