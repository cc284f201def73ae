/** Writes pickles opcode by opcode, including forms that Python never writes. */

export type Part = string | number | readonly number[] | Buffer;

/** Joins opcodes and operands: strings as they are, numbers as bytes. */
export function pickle(...parts: readonly Part[]): Buffer {
  return Buffer.concat(
    parts.map((part) =>
      Buffer.isBuffer(part)
        ? part
        : typeof part === 'string'
          ? Buffer.from(part, 'latin1')
          : Buffer.from(typeof part === 'number' ? [part] : part),
    ),
  );
}

/** `SHORT_BINUNICODE` */
export function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([0x8c, bytes.length]), bytes]);
}

/** An import by two texts on the stack, as protocol 4 writes it. */
export function stackGlobal(module: string, name: string): Buffer {
  return Buffer.concat([text(module), text(name), Buffer.from([0x93])]);
}

/** A text that is stored in the memo in the spelling of protocol 0, and dropped. */
export function memoized(value: string, index: string): Buffer {
  return pickle(text(value), `p${index}\n0`);
}

/** `FRAME` */
export function frame(length: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(length));
  return pickle(0x95, size);
}

/** `BINBYTES` */
export function bytesOf(content: Buffer): Buffer {
  return pickle('B', lengthOf(content), content);
}

/** `BINUNICODE` with the bytes as code points. */
export function long(content: Buffer): Buffer {
  const encoded = Buffer.from(content.toString('latin1'), 'utf8');
  return pickle('X', lengthOf(encoded), encoded);
}

function lengthOf(content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return length;
}

/** A storage of one number in the format of PyTorch before 1.6, as in a tensor within a plain pickle. */
export function legacyStorage(): Buffer {
  const object = pickle([0x80, 2], '(U', 7, 'storagectorch\nFloatStorage\nU', 1, '0U', 3, 'cpuK', 1, 'NtQ.');
  const keys = pickle([0x80, 2], ']U', 1, '0a.');
  return pickle(legacy({ object, keys }), [1, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0]);
}

/** A file of PyTorch before 1.6 without tensors, or with other pickles than it should have. */
export function legacy(parts: { magic?: Buffer; machine?: Buffer; object?: Buffer; keys?: Buffer } = {}): Buffer {
  const {
    magic = Buffer.from('80028a0a6cfc9c46f9206aa850192e', 'hex'),
    machine = pickle([0x80, 2], '}.'),
    object = pickle([0x80, 2], '}.'),
    keys = pickle([0x80, 2], '].'),
  } = parts;
  return pickle(magic, pickle([0x80, 2], 'M', [0xe9, 3], '.'), machine, object, keys);
}
