import { type Bytes, slice } from '../bytes.ts';

/** One field of a protocol buffer's message: https://protobuf.dev/programming-guides/encoding/ */
export interface Field {
  readonly number: number;
  /** A number, or what the field's bytes are: a text, packed numbers or a message of its own. */
  readonly value: number | Buffer;
}

/**
 * The fields of a message, as far as its bytes go: one that is cut off comes with the bytes that are there, and nothing
 * comes after what is no field. Those of a group, which no format of ours has, come as the message's own. Returns whether
 * the message is whole.
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

/** The same of a message that is not in memory: what a field's bytes are is not read. */
export interface FarField {
  readonly number: number;
  readonly value: number | Bytes;
}

/** Bytes of a field's number and of its own number, or of its length. */
const LONGEST_HEAD = 20;

/** The fields of such a message; a payload is passed over. Returns whether the message is whole. @see fieldsOf */
export async function* farFieldsOf(message: Bytes): AsyncGenerator<FarField, boolean> {
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

/** The messages and texts of one field, in order. */
export function bytesIn(message: Buffer, field: number): Buffer[] {
  const found: Buffer[] = [];
  for (const { number, value } of fieldsOf(message))
    if (number === field && typeof value === 'object') found.push(value);
  return found;
}

/** A number of seven bits a byte, the lowest first; undefined where it is cut off or too long. Above 2^53 it is rounded. */
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
