/** Replaces `node:buffer` in a browser: the parts of `Buffer` that the checks use. */

type Encoding = 'utf8' | 'utf-8' | 'latin1' | 'utf16le';

/**
 * Number of bytes decoded at a time if each byte is a character, because a call accepts only a limited number of
 * arguments.
 */
const PIECE = 0x2000;

class Bytes extends Uint8Array<ArrayBuffer> {
  override toString(encoding: Encoding = 'utf8'): string {
    if (encoding !== 'latin1')
      return new TextDecoder(encoding === 'utf16le' ? 'utf-16le' : 'utf-8', { ignoreBOM: true }).decode(this);
    let text = '';
    for (let start = 0; start < this.length; start += PIECE)
      text += String.fromCharCode(...this.subarray(start, start + PIECE));
    return text;
  }

  override indexOf(wanted: number | string, from = 0): number {
    if (typeof wanted === 'number') return super.indexOf(wanted, from);
    const [first, ...rest] = new TextEncoder().encode(wanted);
    if (first === undefined) return from;
    for (let start = super.indexOf(first, from); start >= 0; start = super.indexOf(first, start + 1))
      if (rest.every((byte, index) => this[start + 1 + index] === byte)) return start;
    return -1;
  }

  override includes(wanted: number | string, from = 0): boolean {
    return this.indexOf(wanted, from) >= 0;
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, index) => byte === other[index]);
  }

  /** Swaps the bytes of each pair, in place. */
  swap16(): this {
    for (let index = 0; index + 1 < this.length; index += 2)
      [this[index], this[index + 1]] = [this[index + 1] ?? 0, this[index] ?? 0];
    return this;
  }
}

/** A copy of bytes, or encoded text. */
function from(content: string | Iterable<number>, encoding: Encoding = 'utf8'): Bytes {
  if (typeof content !== 'string') return new Bytes(Uint8Array.from(content).buffer);
  if (encoding === 'latin1')
    return from(Array.from({ length: content.length }, (_, index) => content.charCodeAt(index)));
  if (encoding !== 'utf16le') return from(new TextEncoder().encode(content));
  const bytes = new Bytes(new ArrayBuffer(2 * content.length));
  const units = new DataView(bytes.buffer);
  for (let index = 0; index < content.length; index++) units.setUint16(2 * index, content.charCodeAt(index), true);
  return bytes;
}

function concat(parts: readonly Uint8Array[]): Bytes {
  const whole = new Bytes(new ArrayBuffer(parts.reduce((sum, part) => sum + part.length, 0)));
  let start = 0;
  for (const part of parts) {
    whole.set(part, start);
    start += part.length;
  }
  return whole;
}

function allocUnsafe(size: number): Bytes {
  return new Bytes(new ArrayBuffer(size));
}

export const Buffer = { from, concat, allocUnsafe };

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes as Uint8Array<ArrayBuffer>);
    return true;
  } catch {
    return false;
  }
}
