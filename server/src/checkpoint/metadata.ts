import type { Entry, Scalar } from './checkpoint.ts';

/** Entries of one file that are kept; a configuration has some hundreds. */
export const MOST_ENTRIES = 1000;
/** Items of a list, and characters of a text, that are kept. */
export const WANTED_ITEMS = 10;
const LONGEST_TEXT = 1000;

/** Collects what stands beside the tensors, in its order, and not more of it than is worth keeping. */
export interface EntryList {
  readonly entries: readonly Entry[];
  isFull(): boolean;
  add(name: string, value: Scalar | bigint): void;
  /** The first items of a list that has `length` of them. */
  addList(name: string, first: readonly (Scalar | bigint)[], length: number): void;
}

export function createEntryList(): EntryList {
  const entries: Entry[] = [];
  const keep = (name: string, value: Entry['value'], length: number, shown: number) => {
    if (entries.length < MOST_ENTRIES) entries.push(length > shown ? { name, value, length } : { name, value });
  };
  return {
    entries,
    isFull: () => entries.length >= MOST_ENTRIES,
    add: (name, value) => keep(name, plain(value), typeof value === 'string' ? value.length : 0, LONGEST_TEXT),
    addList: (name, first, length) => {
      const shown = first.slice(0, WANTED_ITEMS).map(plain);
      keep(name, shown, length, shown.length);
    },
  };
}

/** What JSON can say as it is; what it cannot, such as `inf` and whole numbers above 2^53, as Python's text. */
function plain(value: Scalar | bigint): Scalar {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

/** The values in JSON, named by the way to them: `optimizer_config.config.learning_rate`. */
export function addJson(list: EntryList, name: string, json: unknown): void {
  const waiting: [name: string, value: unknown][] = [[name, json]];
  for (let next = waiting.pop(); next && !list.isFull(); next = waiting.pop()) {
    const [at, value] = next;
    if (isScalar(value)) list.add(at, value);
    else if (Array.isArray(value) && value.every(isScalar)) list.addList(at, value, value.length);
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of firstOf(value).reverse()) waiting.push([at === '' ? key : `${at}.${key}`, part]);
  }
}

/** As many parts of a value as can be kept; a list of all would take more memory than the value. */
function firstOf(value: object): [name: string, part: unknown][] {
  const first: [string, unknown][] = [];
  for (const name in value) {
    if (first.length === MOST_ENTRIES) break;
    first.push([name, value[name as keyof typeof value]]);
  }
  return first;
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
