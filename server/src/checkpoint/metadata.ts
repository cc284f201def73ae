import type { Entry, Scalar } from './checkpoint.ts';

/** Maximum number of entries kept per file; a configuration has a few hundred. */
const MOST_ENTRIES = 1000;
/** Maximum number of list items that are kept. */
export const WANTED_ITEMS = 10;
const LONGEST_TEXT = 1000;

/** Collects metadata in file order, up to limits. */
export interface EntryList {
  readonly entries: readonly Entry[];
  isFull(): boolean;
  add(name: string, value: Scalar | bigint): void;
  /** Adds the first items of a list whose length is `length`. */
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

/** Returns a value as JSON can hold it; `inf`, `nan` and integers above 2^53 become text in Python's spelling. */
function plain(value: Scalar | bigint): Scalar {
  if (typeof value === 'string') return value.slice(0, LONGEST_TEXT);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
}

/** Adds the values in JSON data, named by their paths: `optimizer_config.config.learning_rate`. */
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

/** Returns only as many parts as can be kept, because a list of all parts would take more memory than the value. */
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
