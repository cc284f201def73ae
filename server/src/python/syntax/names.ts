/**
 * A table of names shared by all programs, so that a known name needs no new string. The table has a fixed number of
 * slots: a name replaces the one in its slot.
 */
import { KEYWORDS, NAME } from './tokens.ts';

const SLOTS = 1 << 14;
const texts: string[] = new Array(SLOTS).fill('');
const kinds = new Uint8Array(SLOTS);

/** Returns the slot of the name between two offsets of a text. The caller has computed its hash. */
export function slotOfName(text: string, start: number, end: number, hash: number): number {
  const place = (hash ^ (hash >>> 14)) & (SLOTS - 1);
  const known = texts[place] as string;
  const length = end - start;
  if (known.length === length) {
    let index = 0;
    while (index < length && known.charCodeAt(index) === text.charCodeAt(start + index)) index++;
    if (index === length) return place;
  }
  // A slice would keep the whole text in memory.
  const name = Buffer.from(text.slice(start, end), 'latin1').toString('latin1');
  texts[place] = name;
  kinds[place] = KEYWORDS.get(name) ?? NAME;
  return place;
}

export const nameAt = (place: number): string => texts[place] as string;
export const kindAt = (place: number): number => kinds[place] as number;
