import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';

/** A table of a FlatBuffer: https://flatbuffers.dev/internals/ */
export interface Table {
  /** Returns the offset of a field's content by the field's number; undefined if the table lacks the field. */
  field(number: number): number | undefined;
}

/** A description of damage in a FlatBuffer, as a clause. */
export class FlatbufferTrouble extends Error {}

/**
 * Reads fields of a FlatBuffer on demand, at any offset. All methods throw FlatbufferTrouble if the file ends too
 * early.
 */
export interface FlatbufferReader {
  root(): Promise<Table>;
  u8(at: number): Promise<number>;
  i32(at: number): Promise<number>;
  u32(at: number): Promise<number>;
  u64(at: number): Promise<number>;
  /** Returns a text field; empty if the field is absent. */
  text(at: number | undefined): Promise<string>;
  /** Returns the length of a list field and the offset of its items. */
  list(at: number | undefined): Promise<{ readonly count: number; readonly start: number }>;
  /** Returns the tables in a list field, which may contain at most `most` of them. */
  tables(at: number | undefined, most: number): Promise<readonly Table[]>;
}

/** Cost of reading a few bytes in memory, in steps. */
const STEPS_PER_READ = 40;

const PAGE = 16 * 1024;
const MOST_PAGES = 256;
/** Maximum number of fields read per table. */
const MOST_FIELDS = 32;
const LONGEST_TEXT = 1024;

export function createFlatbufferReader(bytes: Bytes, budget: Budget): FlatbufferReader {
  // A table, its fields and their targets are scattered, so pages are cached.
  const pages = new Map<number, Promise<Buffer>>();
  const pageAt = (number: number): Promise<Buffer> => {
    const page = pages.get(number) ?? bytes.read(number * PAGE, PAGE);
    pages.delete(number);
    pages.set(number, page);
    for (const oldest of pages.keys()) {
      if (pages.size <= MOST_PAGES) break;
      pages.delete(oldest);
    }
    return page;
  };
  const read = async (at: number, length: number): Promise<Buffer> => {
    if (at < 0 || at + length > bytes.size) throw new FlatbufferTrouble('is cut off or damaged');
    budget.spend(STEPS_PER_READ);
    const start = at % PAGE;
    if (start + length > PAGE) return bytes.read(at, length);
    return (await pageAt(Math.floor(at / PAGE))).subarray(start, start + length);
  };
  const u32 = async (at: number) => (await read(at, 4)).readUInt32LE(0);
  const i32 = async (at: number) => (await read(at, 4)).readInt32LE(0);
  const tableAt = async (at: number): Promise<Table> => {
    const layout = at - (await i32(at));
    const size = (await read(layout, 2)).readUInt16LE(0);
    const offsets = await read(layout, Math.min(size, 4 + 2 * MOST_FIELDS));
    return {
      field(number) {
        const place = 4 + 2 * number;
        const offset = place + 2 <= offsets.length ? offsets.readUInt16LE(place) : 0;
        return offset === 0 ? undefined : at + offset;
      },
    };
  };
  const list = async (at: number | undefined) => {
    if (at === undefined) return { count: 0, start: 0 };
    const place = at + (await u32(at));
    return { count: await u32(place), start: place + 4 };
  };
  return {
    u32,
    i32,
    list,
    u8: async (at) => (await read(at, 1)).readUInt8(0),
    u64: async (at) => Number((await read(at, 8)).readBigUInt64LE(0)),
    root: async () => tableAt(await u32(0)),
    async text(at) {
      const { count, start } = await list(at);
      return count === 0 ? '' : (await read(start, Math.min(count, LONGEST_TEXT))).toString('utf8');
    },
    async tables(at, most) {
      const { count, start } = await list(at);
      if (count > most) throw new FlatbufferTrouble(`lists more than ${most} parts`);
      const found: Table[] = [];
      for (let index = 0; index < count; index++) {
        const place = start + 4 * index;
        found.push(await tableAt(place + (await u32(place))));
      }
      return found;
    },
  };
}
