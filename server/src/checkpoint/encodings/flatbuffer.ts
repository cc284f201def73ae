import type { Budget } from '../budget.ts';
import type { Bytes } from '../bytes.ts';

/** A table of a FlatBuffer: https://flatbuffers.dev/internals/ */
export interface Table {
  /** Where the content of a field lies, by the field's number; undefined for one that is not there. */
  field(number: number): number | undefined;
}

/** What is wrong with such a file, as a clause. */
export class FlatbufferTrouble extends Error {}

/** Reads a FlatBuffer field by field, wherever they lie. All of it throws FlatbufferTrouble where the file ends before it does. */
export interface FlatbufferReader {
  root(): Promise<Table>;
  u8(at: number): Promise<number>;
  i32(at: number): Promise<number>;
  u32(at: number): Promise<number>;
  u64(at: number): Promise<number>;
  /** A field's text; empty where the field is not there. */
  text(at: number | undefined): Promise<string>;
  /** How many items a field's list has and where they start. */
  list(at: number | undefined): Promise<{ readonly count: number; readonly start: number }>;
  /** The tables that a field lists, `most` of them. */
  tables(at: number | undefined, most: number): Promise<readonly Table[]>;
}

/** Steps of a look at a few bytes that are at hand. */
const STEPS_A_READ = 40;

const PAGE = 16 * 1024;
const MOST_PAGES = 256;
/** Fields of a table that are looked at. */
const MOST_FIELDS = 32;
const LONGEST_TEXT = 1024;

export function createFlatbufferReader(bytes: Bytes, budget: Budget): FlatbufferReader {
  // A table, its fields and what they refer to lie apart: what was read once is kept.
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
    budget.spend(STEPS_A_READ);
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
