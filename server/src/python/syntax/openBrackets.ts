/**
 * The stack of open brackets and f-strings. An unclosed one is detected at the end of the text, which is then reread.
 */
import type { Span } from './nodes.ts';
import * as t from './tokens.ts';
import { TokenWriter } from './tokenWriter.ts';

/** Maximum nesting of brackets, as in Python. */
const MAX_DEPTH = 200;
/** Maximum number of unclosed brackets between a bracket and its closing bracket. */
const MAX_SKIPPED = 200;

/** Kinds of entries besides brackets: a replacement field, an f-string, and the format specification in a field. */
export const FIELD = 20;
export const FSTRING = 21;
export const SPECIFICATION = 22;

export class OpenBrackets extends TokenWriter {
  /** Triple-quoted strings. */
  readonly tripleQuoted: Span[] = [];

  // The stack: kind, offset, first token, flags of the enclosing string, and whether the entry ends with its line.
  depth = 0;
  readonly openKinds: number[] = [];
  readonly openStarts: number[] = [];
  readonly #openTokens: number[] = [];
  readonly openFlags: number[] = [];
  readonly openEndsWithLine: boolean[] = [];
  /** For an f-string, its index in `strings`. */
  readonly openStrings: number[] = [];

  /** Offsets of brackets and f-strings known to be unclosed, in order: they end with their line. */
  #unclosed: readonly number[] = [];
  /** Index of the next one in `#unclosed`. */
  #nextUnclosed = 0;
  /** Number of characters that have been read again. Beyond a limit, every entry ends with its line. */
  #reread = 0;

  open(kind: number, start: number, flags: number): void {
    const depth = this.depth++;
    // Invalid code is not read again: all entries end with their line.
    if (depth === MAX_DEPTH) this.openEndsWithLine.fill(true, 0, depth);
    this.openKinds[depth] = kind;
    this.openStarts[depth] = start;
    this.#openTokens[depth] = this.count;
    this.openFlags[depth] = flags;
    this.openEndsWithLine[depth] = depth >= MAX_DEPTH || this.#isUnclosed(start) || this.#reread > 4 * this.text.length;
  }

  #isUnclosed(start: number): boolean {
    const unclosed = this.#unclosed;
    while (this.#nextUnclosed < unclosed.length && (unclosed[this.#nextUnclosed] as number) < start)
      this.#nextUnclosed++;
    return unclosed[this.#nextUnclosed] === start;
  }

  close(bracket: number, at: number): void {
    let depth = this.depth;
    const least = Math.max(0, depth - MAX_SKIPPED);
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

  /** Drops the entries that end with the current line. True if the stack is empty afterwards. */
  endLine(): boolean {
    while (this.depth > 0 && this.openEndsWithLine[this.depth - 1]) this.depth--;
    return this.depth === 0;
  }

  /** Marks all open entries as unclosed. Returns the offset of the outermost one, from which the text is read again. */
  giveUp(at: number): number {
    const start = this.openStarts[0] as number;
    if (this.openEndsWithLine[0]) {
      // The last line has no end.
      this.depth = 0;
      return at;
    }
    this.#unclosed = sortedUnion(
      this.#unclosed.filter((known) => known >= start),
      this.openStarts.slice(0, this.depth),
    );
    this.#nextUnclosed = 0;
    this.#reread += at - start;
    this.count = this.#openTokens[0] as number;
    this.depth = 0;
    dropFrom(this.comments, start);
    dropFrom(this.strings, start);
    dropFrom(this.tripleQuoted, start);
    return start;
  }
}

/** The sorted union of two sorted lists of numbers. */
function sortedUnion(one: readonly number[], other: readonly number[]): readonly number[] {
  if (one.length === 0) return other;
  return [...new Set([...one, ...other])].sort((a, b) => a - b);
}

function dropFrom(spans: Span[], start: number): void {
  while (spans.length > 0 && (spans[spans.length - 1] as Span).start >= start) spans.pop();
}
