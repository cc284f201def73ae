/**
 * Splits text into tokens. Tracks brackets, strings and indentation, which determine where statements end; reports
 * invalid input and continues.
 */
import * as characters from './characters.ts';
import { afterLineEnd, classOf, endOfLine, isNamePart } from './characters.ts';
import { endOfMagic, magicAt } from './ipython.ts';
import { kindAt, nameAt, slotOfName } from './names.ts';
import { endOfNumber } from './numbers.ts';
import { FIELD, FSTRING, SPECIFICATION } from './openBrackets.ts';
import { operatorAt } from './operators.ts';
import { beginsStatement, isConflictMarker } from './recovery.ts';
import { StringTokens } from './stringTokens.ts';
import * as t from './tokens.ts';
import type { Tokenized } from './tokenWriter.ts';

/** Maximum nesting of blocks, as in Python. */
const MAX_INDENTS = 100;

const PREFIX = /^(?:[bruft]|br|rb|ur|fr|rf|tr|rt)$/i;
/** IPython's request for help at the end of a line. */
const HELP_SIGN = /\?{1,2}[ \t]*(?![^\r\n])/y;
const NAME_TEXT = /^[\p{XID_Start}_][\p{XID_Continue}]*$/u;

export function tokenize(text: string, isNotebook: boolean): Tokenized {
  const lone = new Set<number>();
  for (;;) {
    const tokenizer = new Tokenizer(text, isNotebook, lone);
    tokenizer.run();
    if (tokenizer.unpaired === undefined) return tokenizer;
    lone.add(tokenizer.unpaired);
  }
}

class Tokenizer extends StringTokens {
  readonly isNotebook: boolean;
  /** The first token of the logical line. */
  #lineToken = 0;

  constructor(text: string, isNotebook: boolean, lone: ReadonlySet<number>) {
    super(text, lone);
    this.isNotebook = isNotebook;
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
        at = this.formatted(at);
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
          if (this.depth === 0 || this.endLine()) {
            this.add(t.NEWLINE, at, at);
            at = afterLineEnd(text, at);
            isLineStart = true;
          } else at = this.#lineInBrackets(afterLineEnd(text, at));
          break;
        case characters.QUOTE:
          at = this.string(at, at);
          break;
        case characters.HASH:
          at = this.#comment(at);
          break;
        case characters.BACKSLASH:
          if (classOf(text.charCodeAt(at + 1)) === characters.LINE_END) at = afterLineEnd(text, at + 1);
          else this.invalid(at, ++at, 'unexpected character after line continuation character');
          break;
        default:
          at = this.#nonAsciiName(at, at);
      }
    }
    this.#finish();
  }

  #finish(): void {
    const end = this.text.length;
    const last = this.count > 0 ? this.kinds[this.count - 1] : t.NEWLINE;
    if (last !== t.NEWLINE && last !== t.DEDENT) this.add(t.NEWLINE, end, end);
    for (let level = this.indents.length; level > 1; level--) this.add(t.DEDENT, end, end);
    this.add(t.END, end, end);
  }

  // Lines

  /** Reads from the start of a line to the next token; blank lines yield none. */
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
          // The column before the backslash is the indentation.
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
    const indents = this.indents;
    const top = indents[indents.length - 1] as number;
    if (column === top) return;
    if (column > top) {
      if (indents.length > MAX_INDENTS) return this.error(at, at, 'too many levels of indentation');
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

  /** Reads the start of a line inside brackets. If a statement begins there, the brackets were never closed. */
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
      if (at - start < 3 && PREFIX.test(text.slice(start, at))) return this.string(start, at);
    } else if (code > 127) return this.#nonAsciiName(start, at);
    const place = slotOfName(text, start, at, hash);
    const kind = kindAt(place);
    if (kind === t.NAME) {
      this.add(kind, start, at, this.names.length);
      this.names.push(nameAt(place));
    } else this.add(kind, start, at);
    return at;
  }

  /** Reads a name with non-ASCII characters, or an invalid non-ASCII character. */
  #nonAsciiName(start: number, from: number): number {
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

  /** Recognizes `x = !ls`, `x = %magic` and `name?`; returns the offset unchanged if there is none. */
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
}
