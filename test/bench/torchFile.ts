import { pickle } from '../checkpoint/pickleWriter.ts';

type Part = readonly [offset: number, content: Buffer];

/**
 * A `torch.save` file with a state dict of `count` tensors of four numbers, as parts with offsets. The first tensor's
 * content has `hole` additional bytes, which are omitted.
 */
export function torchFile(count: number, hole = 0): Part[] {
  const pickled = pickleOf(count, hole);
  const parts: Part[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  const member = (name: string, content: Buffer, size = content.length) => {
    const header = Buffer.alloc(30 + name.length);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(name.length, 26);
    header.write(name, 30);
    parts.push([at, Buffer.concat([header, content])]);
    entries.push(entryOf(name, size, at));
    at += header.length + size;
  };
  member('model/data.pkl', pickled);
  for (let key = 0; key < count; key++) {
    const isFirst = key === 0 && hole > 0;
    member(`model/data/${key}`, Buffer.alloc(isFirst ? 0 : 16), isFirst ? hole : 16);
  }
  const table = Buffer.concat(entries);
  return [...join(parts), [at, Buffer.concat([table, endOf(count + 1, table.length, at)])]];
}

/** Joins adjacent parts, so that few writes are needed. */
function join(parts: readonly Part[]): Part[] {
  const joined: { start: number; end: number; contents: Buffer[] }[] = [];
  for (const [offset, content] of parts) {
    const last = joined.at(-1);
    if (last?.end === offset) {
      last.contents.push(content);
      last.end += content.length;
    } else joined.push({ start: offset, end: offset + content.length, contents: [content] });
  }
  return joined.map(({ start, contents }) => [start, Buffer.concat(contents)]);
}

/** The pickle that `torch.save` writes for `{"layers.0.weight": tensor, …}`, with Python's own memo numbering. */
function pickleOf(count: number, hole: number): Buffer {
  let memo = 0;
  const put = () => {
    const number = Buffer.alloc(5);
    number[0] = 0x72;
    number.writeUInt32LE(memo++, 1);
    return number;
  };
  const get = (number: number) => {
    const content = Buffer.alloc(5);
    content[0] = 0x6a;
    content.writeUInt32LE(number, 1);
    return content;
  };
  const text = (value: string) => {
    const head = Buffer.alloc(5);
    head[0] = 0x58;
    head.writeUInt32LE(value.length, 1);
    return pickle(head, value, put());
  };
  const start = pickle([0x80, 2], '}', put(), '(');
  // These four are memoized at their first occurrence and referenced afterwards.
  const known = pickle(
    'ctorch._utils\n_rebuild_tensor_v2\n',
    put(),
    '0',
    'ctorch\nFloatStorage\n',
    put(),
    '0',
    text('storage'),
    '0',
    text('cuda:0'),
    '0',
    'ccollections\nOrderedDict\n',
    put(),
    '0',
  );
  const tensors = Array.from({ length: count }, (_, key) => {
    const elements = key === 0 && hole > 0 ? hole / 4 : 4;
    const number = pickle([0x8a, 6], littleEndian(elements));
    return pickle(
      text(`layers.${key}.weight`),
      get(1),
      '((',
      get(3),
      get(2),
      text(String(key)),
      get(4),
      number,
      't',
      put(),
      'Q',
      'K',
      0,
      number,
      0x85,
      put(),
      'K',
      1,
      0x85,
      put(),
      0x89,
      get(5),
      ')R',
      put(),
      't',
      put(),
      'R',
      put(),
    );
  });
  return Buffer.concat([start, known, ...tensors, pickle('u.')]);
}

function littleEndian(value: number): Buffer {
  const content = Buffer.alloc(6);
  content.writeUIntLE(value, 0, 6);
  return content;
}

/** An entry of the central directory, with sizes and offset in ZIP64 form. */
function entryOf(name: string, size: number, offset: number): Buffer {
  const entry = Buffer.alloc(46 + name.length + 28);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.fill(0xff, 20, 28);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(28, 30);
  entry.fill(0xff, 42, 46);
  entry.write(name, 46);
  const extra = 46 + name.length;
  entry.writeUInt16LE(1, extra);
  entry.writeUInt16LE(24, extra + 2);
  for (const [index, value] of [size, size, offset].entries())
    entry.writeBigUInt64LE(BigInt(value), extra + 4 + 8 * index);
  return entry;
}

/** The end records of the file, in ZIP64 form. */
function endOf(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(56 + 20 + 22);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  for (const [index, value] of [count, count, size, offset].entries())
    record.writeBigUInt64LE(BigInt(value), 24 + 8 * index);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(offset + size), 64);
  record.writeUInt32LE(1, 72);
  record.writeUInt32LE(0x06054b50, 76);
  record.fill(0xff, 84, 96);
  return record;
}
