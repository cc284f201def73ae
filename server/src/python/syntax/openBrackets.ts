/** What is open at a place of a text: brackets and f-strings. It finds out, too late, which of them are never closed. */
import type { Span } from './nodes.ts';
import * as t from './tokens.ts';
import { TokenWriter } from './tokenWriter.ts';

/** Python itself allows no more brackets in each other. */
const DEEPEST = 200;
/** How many brackets without an end may lie between one and its end. */
const MOST_SKIPPED = 200;

/** What is open besides brackets: a replacement field, an f-string, and the format specification in a field. */
export const FIELD = 20;
export const FSTRING = 21;
export const SPECIFICATION = 22;

export class OpenBrackets extends TokenWriter {
  /** Strings with triple quotes. */
  readonly triples: Span[] = [];

  // Of what is open: its kind, offset, first token, the flags of the string that it is in, and whether its line ends it.
  depth = 0;
  readonly openKinds: number[] = [];
  readonly openStarts: number[] = [];
  readonly #openTokens: number[] = [];
  readonly openFlags: number[] = [];
  readonly openBound: boolean[] = [];
  /** Of an f-string, its index in `strings`. */
  readonly openStrings: number[] = [];

  /** Offsets of brackets and f-strings that are known never to be closed, in order: they end with their line. */
  #unclosed: readonly number[] = [];
  /** The first of them that was not met yet. */
  #nextUnclosed = 0;
  /** How many characters were read a second time. Beyond a bound everything ends with its line. */
  #reread = 0;

  open(kind: number, start: number, flags: number): void {
    const depth = this.depth++;
    // What is no Python anyway is not read a second time: all of it ends with its line.
    if (depth === DEEPEST) this.openBound.fill(true, 0, depth);
    this.openKinds[depth] = kind;
    this.openStarts[depth] = start;
    this.#openTokens[depth] = this.count;
    this.openFlags[depth] = flags;
    this.openBound[depth] = depth >= DEEPEST || this.#isUnclosed(start) || this.#reread > 4 * this.text.length;
  }

  #isUnclosed(start: number): boolean {
    const unclosed = this.#unclosed;
    while (this.#nextUnclosed < unclosed.length && (unclosed[this.#nextUnclosed] as number) < start)
      this.#nextUnclosed++;
    return unclosed[this.#nextUnclosed] === start;
  }

  close(bracket: number, at: number): void {
    let depth = this.depth;
    const least = Math.max(0, depth - MOST_SKIPPED);
    while (depth > least) {
      const open = this.openKinds[depth - 1] as number;
      if (open === bracket || (open === FIELD && bracket === t.LBRACE)) {
        this.depth = depth - 1;
        break;
      }
      if (open >= FIELD) break;
      depth--;
    }
    this.add(bracket + 3, at, at + 1);
  }

  /** At the end of a line: drops what ends with it. True when nothing is open then. */
  endBound(): boolean {
    while (this.depth > 0 && this.openBound[this.depth - 1]) this.depth--;
    return this.depth === 0;
  }

  /** What is open is never closed. Reads on from where the outermost of it was opened, which now ends with its line. */
  giveUp(at: number): number {
    const start = this.openStarts[0] as number;
    if (this.openBound[0]) {
      // It is the last line, which has no end.
      this.depth = 0;
      return at;
    }
    this.#unclosed = inOrder(
      this.#unclosed.filter((known) => known >= start),
      this.openStarts.slice(0, this.depth),
    );
    this.#nextUnclosed = 0;
    this.#reread += at - start;
    this.count = this.#openTokens[0] as number;
    this.depth = 0;
    dropFrom(this.comments, start);
    dropFrom(this.strings, start);
    dropFrom(this.triples, start);
    return start;
  }
}

/** What is in either of two lists of numbers that are in order. */
function inOrder(one: readonly number[], other: readonly number[]): readonly number[] {
  if (one.length === 0) return other;
  return [...new Set([...one, ...other])].sort((a, b) => a - b);
}

function dropFrom(spans: Span[], start: number): void {
  while (spans.length > 0 && (spans[spans.length - 1] as Span).start >= start) spans.pop();
}
