/**
 * Text -> tokens. It knows brackets, strings and indentation, for these say where a statement ends; what it cannot make
 * sense of it reports and goes on.
 */
import * as characters from './characters.ts';
import { afterLineEnd, classOf, endOfLine, isNamePart } from './characters.ts';
import { endOfMagic, magicAt } from './ipython.ts';
import { kindAt, nameAt, placeOfName } from './names.ts';
import { endOfNumber } from './numbers.ts';
import { FIELD, FSTRING, OpenBrackets, SPECIFICATION } from './openBrackets.ts';
import { operatorAt } from './operators.ts';
import { beginsStatement, isConflictMarker, isInverted, nextStatement } from './recovery.ts';
import * as t from './tokens.ts';
import type { Tokenized } from './tokenWriter.ts';

/** Python itself has no more. */
const MOST_INDENTS = 100;
/** How often a text is read anew because of triple quotes that have no partner. */
const MOST_LONE_QUOTES = 3;

const PREFIX = /^(?:[bruft]|br|rb|ur|fr|rf|tr|rt)$/i;
/** What asks IPython for help, at the end of a line. */
const HELP_SIGN = /\?{1,2}[ \t]*(?![^\r\n])/y;
const NAME_TEXT = /^[\p{XID_Start}_][\p{XID_Continue}]*$/u;

export function tokenize(text: string, isNotebook: boolean): Tokenized {
  const lone = new Set<number>();
  for (;;) {
    const tokenizer = new Tokenizer(text, isNotebook, lone);
    tokenizer.run();
    if (tokenizer.lone === undefined) return tokenizer;
    lone.add(tokenizer.lone);
  }
}

class Tokenizer extends OpenBrackets {
  readonly isNotebook: boolean;

  /** Where triple quotes are that have no partner; set when that was found out too late. */
  lone: number | undefined;
  readonly #lone: ReadonlySet<number>;

  readonly #indents = [0];
  /** The first token of the logical line. */
  #lineToken = 0;

  constructor(text: string, isNotebook: boolean, lone: ReadonlySet<number>) {
    super(text);
    this.isNotebook = isNotebook;
    this.#lone = lone;
  }

  run(): void {
    const { text } = this;
    let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    let isLineStart = true;
    for (;;) {
      if (isLineStart) {
        at = this.#line(at);
        isLineStart = false;
      }
      if (this.depth > 0 && (this.openKinds[this.depth - 1] as number) >= FSTRING) {
        at = this.#formatted(at);
        continue;
      }
      if (at >= text.length) {
        if (this.depth === 0) break;
        at = this.giveUp(at);
        continue;
      }
      const code = text.charCodeAt(at);
      switch (classOf(code)) {
        case characters.SPACE:
          at++;
          break;
        case characters.LETTER:
          at = this.#name(at);
          break;
        case characters.OPERATOR:
          at = this.#operator(at, code);
          break;
        case characters.DIGIT:
          at = this.#number(at);
          break;
        case characters.LINE_END:
          if (this.depth === 0 || this.endBound()) {
            this.add(t.NEWLINE, at, at);
            at = afterLineEnd(text, at);
            isLineStart = true;
          } else at = this.#lineInBrackets(afterLineEnd(text, at));
          break;
        case characters.QUOTE:
          at = this.#string(at, at);
          break;
        case characters.HASH:
          at = this.#comment(at);
          break;
        case characters.BACKSLASH:
          if (classOf(text.charCodeAt(at + 1)) === characters.LINE_END) at = afterLineEnd(text, at + 1);
          else this.invalid(at, ++at, 'unexpected character after line continuation character');
          break;
        default:
          at = this.#foreignName(at, at);
      }
    }
    this.#finish();
  }

  #finish(): void {
    const end = this.text.length;
    const last = this.count > 0 ? this.kinds[this.count - 1] : t.NEWLINE;
    if (last !== t.NEWLINE && last !== t.DEDENT) this.add(t.NEWLINE, end, end);
    for (let level = this.#indents.length; level > 1; level--) this.add(t.DEDENT, end, end);
    this.add(t.END, end, end);
  }

  // Lines

  /** From the start of a line to the first token on it or on a later one; blank lines are none. */
  #line(from: number): number {
    const { text } = this;
    let at = from;
    for (;;) {
      let column = 0;
      let continued = 0;
      for (; ; at++) {
        const code = text.charCodeAt(at);
        if (code === 32) column++;
        else if (code === 9) column = (column | 7) + 1;
        else if (code === 12) column = 0;
        else if (code === 92 && classOf(text.charCodeAt(at + 1)) === characters.LINE_END) {
          // The indentation is that before the backslash.
          continued ||= column;
          column = 0;
          at = afterLineEnd(text, at + 1) - 1;
        } else break;
      }
      if (at >= text.length) return at;
      const kind = classOf(text.charCodeAt(at));
      if (kind === characters.LINE_END) at = afterLineEnd(text, at);
      else if (kind === characters.HASH) at = this.#comment(at);
      else if (column === 0 && isConflictMarker(text, at)) at = this.#conflict(at);
      else {
        this.#indent(continued || column, at);
        this.#lineToken = this.count;
        return this.isNotebook ? this.#magic(at) : at;
      }
    }
  }

  #indent(column: number, at: number): void {
    const indents = this.#indents;
    const top = indents[indents.length - 1] as number;
    if (column === top) return;
    if (column > top) {
      if (indents.length > MOST_INDENTS) return this.error(at, at, 'too many levels of indentation');
      indents.push(column);
      return this.add(t.INDENT, at, at);
    }
    while (column < (indents[indents.length - 1] as number)) {
      indents.pop();
      this.add(t.DEDENT, at, at);
    }
    if (column !== indents[indents.length - 1])
      this.error(at, at, 'unindent does not match any outer indentation level');
  }

  #comment(start: number): number {
    const end = endOfLine(this.text, start);
    this.comments.push({ start, end });
    return end;
  }

  #conflict(start: number): number {
    const end = endOfLine(this.text, start);
    this.error(start, end, 'conflict marker');
    return end;
  }

  #magic(at: number): number {
    const magic = magicAt(this.text, at, this.count === 0);
    if (magic === undefined) return at;
    const end = magic.isWholeText ? this.text.length : endOfMagic(this.text, at);
    this.add(t.MAGIC, at, end, magic.kind);
    return end;
  }

  /** A line begins inside of brackets. No statement does so: then they were never closed. */
  #lineInBrackets(from: number): number {
    const { text } = this;
    let at = from;
    while (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9) at++;
    if (at === from && isConflictMarker(text, at)) return this.#conflict(at);
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122 && beginsStatement(text, at)) return this.giveUp(at);
    return at;
  }

  // Tokens

  #name(start: number): number {
    const { text } = this;
    let hash = 0;
    let at = start;
    let code = text.charCodeAt(at);
    do {
      hash = (Math.imul(hash, 31) + code) | 0;
      code = text.charCodeAt(++at);
    } while (isNamePart(code));
    if (code === 34 || code === 39) {
      if (at - start < 3 && PREFIX.test(text.slice(start, at))) return this.#string(start, at);
    } else if (code > 127) return this.#foreignName(start, at);
    const place = placeOfName(text, start, at, hash);
    const kind = kindAt(place);
    if (kind === t.NAME) {
      this.add(kind, start, at, this.names.length);
      this.names.push(nameAt(place));
    } else this.add(kind, start, at);
    return at;
  }

  /** A name with characters beyond ASCII, or one of these that is in no name. */
  #foreignName(start: number, from: number): number {
    const { text } = this;
    let at = from;
    while (isNamePart(text.charCodeAt(at)) || text.charCodeAt(at) > 127) at++;
    const name = text.slice(start, at).normalize('NFKC');
    if (NAME_TEXT.test(name)) {
      this.add(t.NAME, start, at, this.names.length);
      this.names.push(name);
    } else this.invalid(start, at, 'invalid character');
    return at;
  }

  #number(start: number): number {
    const number = endOfNumber(this.text, start);
    this.add(t.NUMBER, start, number.end, number.kind);
    return number.end;
  }

  #operator(at: number, code: number): number {
    const { text } = this;
    const top = this.depth > 0 ? (this.openKinds[this.depth - 1] as number) : 0;
    switch (code) {
      case 40:
      case 91:
      case 123: {
        const bracket = code === 40 ? t.LPAR : code === 91 ? t.LSQB : t.LBRACE;
        this.open(bracket, at, this.depth > 0 ? (this.openFlags[this.depth - 1] as number) : 0);
        this.add(bracket, at, at + 1);
        return at + 1;
      }
      case 41:
      case 93:
      case 125:
        this.close(code === 41 ? t.LPAR : code === 93 ? t.LSQB : t.LBRACE, at);
        return at + 1;
      case 58:
        if (top === FIELD) {
          this.add(t.COLON, at, at + 1);
          this.open(SPECIFICATION, at, this.openFlags[this.depth - 1] as number);
          return at + 1;
        }
        break;
      case 46:
        if (classOf(text.charCodeAt(at + 1)) === characters.DIGIT) return this.#number(at);
        break;
      case 33:
      case 37:
      case 63:
        if (this.isNotebook && this.depth === 0) {
          const end = this.#magicInLine(at, code);
          if (end > at) return end;
        }
    }
    const { kind, length } = operatorAt(text, at, code);
    if (kind === t.INVALID) this.invalid(at, at + 1, 'invalid character');
    else this.add(kind, at, at + length);
    return at + length;
  }

  /** `x = !ls`, `x = %magic` and `name?`; the offset itself where there is none of them. */
  #magicInLine(at: number, code: number): number {
    const { text } = this;
    if (this.count === this.#lineToken) return at;
    if (code !== 63) {
      if (this.kinds[this.count - 1] !== t.EQUAL || text.charCodeAt(at + 1) === 61) return at;
      const end = endOfMagic(text, at);
      this.add(t.MAGIC, at, end, code === 33 ? t.SHELL_MAGIC : t.LINE_MAGIC);
      return end;
    }
    HELP_SIGN.lastIndex = at;
    if (!HELP_SIGN.test(text)) return at;
    const end = HELP_SIGN.lastIndex;
    for (let index = this.#lineToken; index < this.count; index++)
      if (this.kinds[index] !== t.NAME && this.kinds[index] !== t.DOT) return at;
    this.count = this.#lineToken;
    this.add(t.MAGIC, this.starts[this.count] as number, end, t.HELP_MAGIC);
    return end;
  }

  // Strings

  #string(start: number, quoteAt: number): number {
    const { text } = this;
    const quote = text.charCodeAt(quoteAt);
    const isTriple = text.charCodeAt(quoteAt + 1) === quote && text.charCodeAt(quoteAt + 2) === quote;
    if (this.#lone.has(start)) return this.#loneQuotes(start, quoteAt + 3);
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
    const open = this.depth > 0 ? this.#formattedAround(quote, isTriple) : -1;
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

  /** The f-string around that is known to end with its line and is ended by this quote; -1 for none. */
  #formattedAround(quote: number, isTriple: boolean): number {
    for (let depth = this.depth - 1; depth >= 0; depth--) {
      if (this.openKinds[depth] !== FSTRING) continue;
      const flags = this.openFlags[depth] as number;
      const isEnd = flags >> 16 === quote && (isTriple || (flags & t.TRIPLE) === 0);
      return isEnd && this.openBound[depth] ? depth : -1;
    }
    return -1;
  }

  #quoted(start: number, from: number, quote: number, given: number): number {
    const { text } = this;
    let flags = given;
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

  #tripleQuoted(start: number, from: number, quote: number, given: number): number {
    const { text } = this;
    const quotes = quote === 34 ? '"""' : "'''";
    let flags = given;
    let end = text.indexOf(quotes, from);
    for (; end !== -1; end = text.indexOf(quotes, end + 1)) {
      let before = end;
      while (before > from && text.charCodeAt(before - 1) === 92) before--;
      if ((end - before) % 2 === 0) break;
    }
    if (end === -1) {
      this.#noteLone(start);
      this.error(start, start + quotes.length, 'unterminated triple-quoted string literal');
      end = text.length - 3;
    }
    if (this.#hasBackslash(from, end)) flags |= t.ESCAPES;
    this.add(t.STRING, start, end + 3, flags);
    this.strings.push({ start, end: end + 3 });
    this.triples.push({ start, end: end + 3 });
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

  /** Of triple quotes, one has no partner: the first that begins what does not look like a string, or the last. */
  #noteLone(start: number): void {
    if (this.#lone.size >= MOST_LONE_QUOTES || this.lone !== undefined) return;
    const inverted = this.triples.find((span) => isInverted(this.text, span));
    this.lone = inverted?.start ?? start;
  }

  /** Such quotes take with them what follows, up to where a statement begins in an enclosing block. */
  #loneQuotes(start: number, from: number): number {
    this.invalid(start, from, 'unterminated triple-quoted string literal');
    return nextStatement(this.text, from, this.#indents);
  }

  /** The text of an f-string or of a format specification, up to the next field or the end. */
  #formatted(start: number): number {
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
        this.openBound[this.depth - 1] ||= this.openBound[depth] as boolean;
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
        if (isSpecification && at < text.length && !this.openBound[depth]) {
          this.depth--;
          return at;
        }
        const first = this.openStarts[this.#stringBelow()] as number;
        if (isTriple) this.#noteLone(first);
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
    if (((this.openFlags[this.depth] as number) & t.TRIPLE) !== 0) this.triples.push({ start: first, end });
    return end;
  }
}
