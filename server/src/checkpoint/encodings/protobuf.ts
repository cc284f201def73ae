import { type Bytes, inMemory, slice } from '../bytes.ts';

/** One field of a protocol buffer message: https://protobuf.dev/programming-guides/encoding/ */
interface Field {
  readonly number: number;
  /** A number, or the field's bytes: text, packed numbers or a nested message. */
  readonly value: number | Buffer;
}

/**
 * Yields the fields of a message and returns whether the message is complete. A truncated field is yielded with the
 * bytes that exist; parsing stops at bytes that are not a field. Fields of a group are treated as the message's own,
 * because no supported format has groups.
 */
export function* fieldsOf(message: Buffer): Generator<Field, boolean> {
  for (let at = 0; at < message.length; ) {
    const field = fieldAt(message, at);
    if (!field) return false;
    const { number, wireType, value, start, end } = field;
    if (value !== undefined) yield { number, value };
    else if (wireType === WIRE.bytes) yield { number, value: message.subarray(start, Math.min(end, message.length)) };
    if (end > message.length) return false;
    at = end;
  }
  return true;
}

const WIRE = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 };

/** A field without its bytes, which are from `start` to `end`. */
interface FieldHead {
  readonly number: number;
  readonly wireType: number;
  /** The value of a varint. */
  readonly value?: number;
  readonly start: number;
  readonly end: number;
}

/** Returns undefined if the bytes at this offset are not a field or end within its head. */
function fieldAt(bytes: Buffer, at: number): FieldHead | undefined {
  const tag = varint(bytes, at);
  if (!tag) return undefined;
  const [number, wireType, start] = [Math.floor(tag.value / 8), tag.value % 8, tag.end];
  if (number === 0 || wireType > WIRE.fixed32) return undefined;
  if (wireType === WIRE.varint || wireType === WIRE.bytes) {
    const found = varint(bytes, start);
    if (!found) return undefined;
    if (wireType === WIRE.varint) return { number, wireType, value: found.value, start, end: found.end };
    return { number, wireType, start: found.end, end: found.end + found.value };
  }
  const size = wireType === WIRE.fixed64 ? 8 : wireType === WIRE.fixed32 ? 4 : 0;
  return { number, wireType, start, end: start + size };
}

/** A field of a message that is not in memory. */
export interface StreamedField {
  readonly number: number;
  readonly value: number | Bytes;
}

/** Number of bytes that are read at once. Longer fields are yielded unread. */
const WINDOW = 4096;
/** Bytes used by a field's number plus its varint value or length. */
const LONGEST_HEAD = 20;

/**
 * Yields the fields of a message that is not in memory and returns whether the message is complete. Fields come in
 * groups, because waiting for each one costs several times as much as reading it. @see fieldsOf
 */
export async function* streamedFieldsOf(message: Bytes): AsyncGenerator<StreamedField[], boolean> {
  for (let at = 0; at < message.size; ) {
    const window = await message.read(at, WINDOW);
    const fields: StreamedField[] = [];
    let next = 0;
    let isDamaged = window.length === 0;
    // The next window begins with a head that this one might cut.
    while (!isDamaged && next < window.length && (next === 0 || next + LONGEST_HEAD <= WINDOW)) {
      const field = fieldAt(window, next);
      // No supported format has groups, and their readers disagree about them.
      isDamaged = !field || field.wireType === WIRE.startGroup || field.wireType === WIRE.endGroup;
      if (!field || isDamaged) break;
      const { number, wireType, value, start, end } = field;
      if (value !== undefined) fields.push({ number, value });
      else if (wireType === WIRE.bytes)
        fields.push({
          number,
          value: end <= window.length ? inMemory(window.subarray(start, end)) : slice(message, at + start, end - start),
        });
      isDamaged = at + end > message.size;
      next = end;
    }
    yield fields;
    if (isDamaged) return false;
    at += next;
  }
  return true;
}

/** Returns the bytes of all occurrences of one field, in order. */
export function bytesIn(message: Buffer, field: number): Buffer[] {
  const found: Buffer[] = [];
  for (const { number, value } of fieldsOf(message))
    if (number === field && typeof value === 'object') found.push(value);
  return found;
}

/** Decodes a base-128 varint; undefined if it is truncated or too long. Values above 2^53 are rounded. */
export function varint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let index = 0; index < 10; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value, end: at + index + 1 };
  }
  return undefined;
}
