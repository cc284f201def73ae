/** Writes pickles opcode by opcode, as Python never would. */

type Part = string | number | readonly number[] | Buffer;

/** Joins opcodes and their operands: texts as they are, numbers as bytes. */
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
