import { type Bytes, slice } from '../bytes.ts';

/** One field of a protocol buffer message: https://protobuf.dev/programming-guides/encoding/ */
export interface Field {
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
    const tag = varint(message, at);
    if (!tag) return false;
    at = tag.end;
    const number = Math.floor(tag.value / 8);
    const wireType = tag.value % 8;
    if (number === 0) return false;
    if (wireType === 0) {
      const found = varint(message, at);
      if (!found) return false;
      yield { number, value: found.value };
      at = found.end;
    } else if (wireType === 2) {
      const length = varint(message, at);
      if (!length) return false;
      const end = length.end + length.value;
      yield { number, value: message.subarray(length.end, Math.min(end, message.length)) };
      if (end > message.length) return false;
      at = end;
    } else if (wireType === 1 || wireType === 5) {
      at += wireType === 1 ? 8 : 4;
      if (at > message.length) return false;
    } else if (wireType !== 3 && wireType !== 4) return false;
  }
  return true;
}

/** A field of a message that is not in memory; its bytes are not read. */
export interface StreamedField {
  readonly number: number;
  readonly value: number | Bytes;
}

/** Bytes used by a field's number plus its varint value or length. */
const LONGEST_HEAD = 20;

/**
 * Yields the fields of a message that is not in memory, without reading payloads, and returns whether the message is
 * complete. @see fieldsOf
 */
export async function* streamedFieldsOf(message: Bytes): AsyncGenerator<StreamedField, boolean> {
  for (let at = 0; at < message.size; ) {
    const head = await message.read(at, LONGEST_HEAD);
    const tag = varint(head, 0);
    if (!tag) return false;
    const number = Math.floor(tag.value / 8);
    const wireType = tag.value % 8;
    const found = wireType === 0 || wireType === 2 ? varint(head, tag.end) : undefined;
    if (number === 0 || (!found && wireType !== 1 && wireType !== 5)) return false;
    const start = at + (found?.end ?? tag.end);
    const length = wireType === 2 ? (found?.value ?? 0) : found ? 0 : wireType === 1 ? 8 : 4;
    if (found) yield { number, value: wireType === 0 ? found.value : slice(message, start, length) };
    at = start + length;
    if (at > message.size) return false;
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
