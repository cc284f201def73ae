/** Collects tokens, together with the comments, strings and errors found on the way. */
import type { ParseError, Span } from './nodes.ts';
import * as t from './tokens.ts';

export interface Tokenized extends t.Tokens {
  readonly strings: readonly Span[];
  readonly errors: readonly ParseError[];
}

export class TokenWriter implements Tokenized {
  readonly text: string;
  count = 0;
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  extra: Int32Array;
  readonly names: string[] = [];
  readonly comments: Span[] = [];
  readonly strings: { start: number; end: number }[] = [];
  readonly errors: ParseError[] = [];

  constructor(text: string) {
    this.text = text;
    const capacity = (text.length >> 2) + 64;
    this.kinds = new Uint8Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.extra = new Int32Array(capacity);
  }

  add(kind: number, start: number, end: number, extra = 0): void {
    const index = this.count++;
    if (index === this.kinds.length) this.#grow();
    this.kinds[index] = kind;
    this.starts[index] = start;
    this.ends[index] = end;
    this.extra[index] = extra;
  }

  #grow(): void {
    const capacity = this.kinds.length * 2;
    const grown = <T extends Uint8Array | Int32Array>(old: T, array: T): T => {
      array.set(old);
      return array;
    };
    this.kinds = grown(this.kinds, new Uint8Array(capacity));
    this.starts = grown(this.starts, new Int32Array(capacity));
    this.ends = grown(this.ends, new Int32Array(capacity));
    this.extra = grown(this.extra, new Int32Array(capacity));
  }

  error(start: number, end: number, message: string): void {
    this.errors.push({ start, end, message });
  }

  invalid(start: number, end: number, message: string): void {
    this.error(start, end, message);
    this.add(t.INVALID, start, end);
  }
}
