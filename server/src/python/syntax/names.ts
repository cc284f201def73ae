/**
 * The names of all programs, each one string, so that a name that was read before costs no memory and no copying. There
 * are only so many places: a name whose place is taken drives the other one out.
 */
import { KEYWORDS, NAME } from './tokens.ts';

const PLACES = 1 << 14;
const texts: string[] = new Array(PLACES).fill('');
const kinds = new Uint8Array(PLACES);

/** The place of the name between two offsets of a text, whose hash the caller has. */
export function placeOfName(text: string, start: number, end: number, hash: number): number {
  const place = (hash ^ (hash >>> 14)) & (PLACES - 1);
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
