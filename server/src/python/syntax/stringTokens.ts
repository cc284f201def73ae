/** Tokenizes strings and f-strings, whose fields contain expressions, and recovers from unterminated ones. */
import { isNamePart } from './characters.ts';
import { FIELD, FSTRING, OpenBrackets, SPECIFICATION } from './openBrackets.ts';
import { isInverted, nextStatement } from './recovery.ts';
import * as t from './tokens.ts';

/** Maximum number of times a text is read again because of unpaired triple quotes. */
const MAX_UNPAIRED_QUOTES = 3;

export abstract class StringTokens extends OpenBrackets {
  /** The indentation columns of the enclosing blocks. */
  protected readonly indents = [0];

  /** Offset of unpaired triple quotes; set when they are detected, after the text was misread. */
  unpaired: number | undefined;
  readonly #unpaired: ReadonlySet<number>;

  constructor(text: string, lone: ReadonlySet<number>) {
    super(text);
    this.#unpaired = lone;
  }

  /**
   * Reads the string that begins at `start` with its prefix, or the beginning of an f-string. Returns the next offset.
   */
  protected string(start: number, quoteAt: number): number {
    const { text } = this;
    const quote = text.charCodeAt(quoteAt);
    const isTriple = text.charCodeAt(quoteAt + 1) === quote && text.charCodeAt(quoteAt + 2) === quote;
    if (this.#unpaired.has(start)) return this.#skipUnpaired(start, quoteAt + 3);
    let flags = (isTriple ? t.TRIPLE : 0) | ((quoteAt - start) << t.PREFIX_SHIFT);
    let isFormatted = false;
    for (let at = start; at < quoteAt; at++) {
      switch (text.charCodeAt(at) | 32) {
        case 114:
          flags |= t.RAW;
          break;
        case 98:
          flags |= t.BYTES;
          break;
        case 116:
          flags |= t.TEMPLATE;
          isFormatted = true;
          break;
        case 102:
          isFormatted = true;
      }
    }
    const open = this.depth > 0 ? this.#closableFString(quote, isTriple) : -1;
    if (open >= 0) {
      this.depth = open + 1;
      return quoteAt;
    }
    const contents = quoteAt + (isTriple ? 3 : 1);
    if (isFormatted) {
      this.open(FSTRING, start, flags | (quote << 16));
      this.add(t.FSTRING_START, start, contents, flags);
      this.openStrings[this.depth - 1] = this.strings.length;
      this.strings.push({ start, end: contents });
      return contents;
    }
    return isTriple ? this.#tripleQuoted(start, contents, quote, flags) : this.#quoted(start, contents, quote, flags);
  }

  /** The stack index of the enclosing f-string, if it ends with its line and this quote closes it; else -1. */
  #closableFString(quote: number, isTriple: boolean): number {
    for (let depth = this.depth - 1; depth >= 0; depth--) {
      if (this.openKinds[depth] !== FSTRING) continue;
      const flags = this.openFlags[depth] as number;
      const isEnd = flags >> 16 === quote && (isTriple || (flags & t.TRIPLE) === 0);
      return isEnd && this.openEndsWithLine[depth] ? depth : -1;
    }
    return -1;
  }

  #quoted(start: number, from: number, quote: number, prefixFlags: number): number {
    const { text } = this;
    let flags = prefixFlags;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        at++;
        break;
      }
      if (code === 92) {
        flags |= t.ESCAPES;
        at += text.charCodeAt(at + 1) === 13 && text.charCodeAt(at + 2) === 10 ? 3 : 2;
      } else if (code === 10 || code === 13 || at >= text.length) {
        at = Math.min(at, text.length);
        this.error(start, at, 'unterminated string literal');
        break;
      } else at++;
    }
    this.add(t.STRING, start, at, flags);
    this.strings.push({ start, end: at });
    return at;
  }

  #tripleQuoted(start: number, from: number, quote: number, prefixFlags: number): number {
    const { text } = this;
    const quotes = quote === 34 ? '"""' : "'''";
    let flags = prefixFlags;
    let end = text.indexOf(quotes, from);
    for (; end !== -1; end = text.indexOf(quotes, end + 1)) {
      let before = end;
      while (before > from && text.charCodeAt(before - 1) === 92) before--;
      if ((end - before) % 2 === 0) break;
    }
    if (end === -1) {
      this.#noteUnpaired(start);
      this.error(start, start + quotes.length, 'unterminated triple-quoted string literal');
      end = text.length - 3;
    }
    if (this.#hasBackslash(from, end)) flags |= t.ESCAPES;
    this.add(t.STRING, start, end + 3, flags);
    this.strings.push({ start, end: end + 3 });
    this.tripleQuoted.push({ start, end: end + 3 });
    return end + 3;
  }

  #nextBackslash = -1;

  #hasBackslash(from: number, end: number): boolean {
    if (this.#nextBackslash < from) {
      const next = this.text.indexOf('\\', from);
      this.#nextBackslash = next === -1 ? this.text.length : next;
    }
    return this.#nextBackslash < end;
  }

  /** Notes which triple quotes are unpaired: the first whose contents do not look like a string, or the last. */
  #noteUnpaired(start: number): void {
    if (this.#unpaired.size >= MAX_UNPAIRED_QUOTES || this.unpaired !== undefined) return;
    const inverted = this.tripleQuoted.find((span) => isInverted(this.text, span));
    this.unpaired = inverted?.start ?? start;
  }

  /** Skips unpaired triple quotes and the text after them, up to the next statement in an enclosing block. */
  #skipUnpaired(start: number, from: number): number {
    this.invalid(start, from, 'unterminated triple-quoted string literal');
    return nextStatement(this.text, from, this.indents);
  }

  /** Reads the text of an f-string or of a format specification, up to the next field or the end. */
  protected formatted(start: number): number {
    const { text } = this;
    const depth = this.depth - 1;
    const isSpecification = this.openKinds[depth] === SPECIFICATION;
    const open = this.openFlags[depth] as number;
    const quote = open >> 16;
    let flags = open & 0xffff;
    const isTriple = (flags & t.TRIPLE) !== 0;
    let at = start;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        if (!isTriple || (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote)) {
          this.#middle(start, at, flags);
          return this.#endFormatted(at, at + (isTriple ? 3 : 1), isSpecification ? "expecting '}'" : undefined);
        }
        at++;
      } else if (code === 123) {
        if (text.charCodeAt(at + 1) === 123 && !isSpecification) {
          flags |= t.ESCAPES;
          at += 2;
          continue;
        }
        this.#middle(start, at, flags);
        this.open(FIELD, at, open);
        this.openEndsWithLine[this.depth - 1] ||= this.openEndsWithLine[depth] as boolean;
        this.add(t.LBRACE, at, at + 1);
        return at + 1;
      } else if (code === 125) {
        if (isSpecification) {
          this.#middle(start, at, flags);
          this.depth -= 2;
          this.add(t.RBRACE, at, at + 1);
          return at + 1;
        }
        flags |= t.ESCAPES;
        if (text.charCodeAt(at + 1) === 125) at++;
        else this.error(at, at + 1, "single '}' is not allowed");
        at++;
      } else if (code === 92) {
        const next = text.charCodeAt(at + 1);
        flags |= t.ESCAPES;
        if (next === 123 || next === 125) at++;
        else if (next === 78 && text.charCodeAt(at + 2) === 123 && (flags & t.RAW) === 0) {
          at += 3;
          while (isNamePart(text.charCodeAt(at)) || text.charCodeAt(at) === 32 || text.charCodeAt(at) === 45) at++;
          if (text.charCodeAt(at) === 125) at++;
        } else at += next === 13 && text.charCodeAt(at + 2) === 10 ? 3 : 2;
      } else if (at >= text.length || (!isTriple && (code === 10 || code === 13))) {
        at = Math.min(at, text.length);
        this.#middle(start, at, flags);
        if (isSpecification && at < text.length && !this.openEndsWithLine[depth]) {
          this.depth--;
          return at;
        }
        const first = this.openStarts[this.#stringBelow()] as number;
        if (isTriple) this.#noteUnpaired(first);
        return this.#endFormatted(at, at, 'unterminated f-string literal');
      } else at++;
    }
  }

  #stringBelow(): number {
    let depth = this.depth - 1;
    while (this.openKinds[depth] !== FSTRING) depth--;
    return depth;
  }

  #middle(start: number, end: number, flags: number): void {
    if (end > start) this.add(t.FSTRING_MIDDLE, start, end, flags);
  }

  #endFormatted(start: number, end: number, error: string | undefined): number {
    this.depth = this.#stringBelow();
    const first = this.openStarts[this.depth] as number;
    if (error !== undefined) this.error(first, end, error);
    this.add(t.FSTRING_END, start, end);
    (this.strings[this.openStrings[this.depth] as number] as { end: number }).end = end;
    if (((this.openFlags[this.depth] as number) & t.TRIPLE) !== 0) this.tripleQuoted.push({ start: first, end });
    return end;
  }
}
