/** Numbers and strings, including f-strings and their fields. */
import { Cursor, NOTHING } from './cursor.ts';
import type {
  BrokenExpression,
  Constant,
  Expression,
  FormattedValue,
  Interpolation,
  JoinedStr,
  Span,
  TemplateStr,
} from './nodes.ts';
import { numberValue } from './numbers.ts';
import { decode, decodePiece } from './strings.ts';
import * as t from './tokens.ts';

const NUMBER_TYPES = ['int', 'int', 'float', 'complex', 'int'] as const;

export abstract class Literals extends Cursor {
  /** Reads the expression in a field of an f-string. */
  abstract field(): Expression;

  constant(type: Constant['type'], value: Constant['value'], start: number, end: number): Constant {
    const constant = {
      kind: 'Constant',
      start,
      end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      type,
      value,
    };
    return constant as Constant;
  }

  /** A keyword that is a value. */
  constantWord(type: Constant['type'], value: Constant['value']): Constant {
    const start = this.start;
    this.at++;
    return this.constant(type, value, start, this.end);
  }

  number(): Constant | BrokenExpression {
    const start = this.start;
    const kind = this.tokens.extra[this.at] as number;
    if (kind === t.PYTHON2_INT) this.isPython2 = true;
    const value = numberValue(this.text, start - this.base, this.tokens.ends[this.at] as number, kind);
    if (value === undefined) this.error('integer has more digits than Python accepts');
    this.at++;
    if (value === undefined) return this.broken(start);
    return this.constant(NUMBER_TYPES[kind] as 'int', value, start, this.end);
  }

  /** Reads one or more adjacent string literals. */
  string(): Expression {
    const next = this.peek(1);
    if (this.kind === t.STRING && next !== t.STRING && next !== t.FSTRING_START) {
      const start = this.start;
      const flags = this.tokens.extra[this.at] as number;
      const value = this.#value(flags);
      this.at++;
      return this.constant((flags & t.BYTES) !== 0 ? 'bytes' : 'str', value, start, this.end);
    }
    return this.#strings();
  }

  /** The value of the next token, a string without fields. */
  #value(flags: number): string {
    const { starts, ends } = this.tokens;
    const quotes = (flags & t.TRIPLE) !== 0 ? 3 : 1;
    const from = (starts[this.at] as number) + (flags >> t.PREFIX_SHIFT) + quotes;
    const end = (ends[this.at] as number) - quotes;
    // An unterminated string may be shorter than its quotes.
    const written = this.text.slice(from, Math.max(from, end));
    if ((flags & (t.ESCAPES | t.TRIPLE)) === 0) return written;
    return decode(written, flags, (flags & t.RAW) !== 0, (flags & t.BYTES) !== 0);
  }

  #strings(): Expression {
    const start = this.start;
    const pieces = new Pieces();
    let isBytes = false;
    let isFormatted = false;
    let isTemplate = false;
    for (;;) {
      const flags = this.tokens.extra[this.at] as number;
      if (this.kind === t.STRING) {
        const from = this.start;
        const value = this.#value(flags);
        this.at++;
        isBytes ||= (flags & t.BYTES) !== 0;
        pieces.text(value, from, this.end);
      } else if (this.kind === t.FSTRING_START) {
        if ((flags & t.TEMPLATE) !== 0) isTemplate = true;
        else isFormatted = true;
        this.#formatted(pieces, flags);
      } else break;
    }
    const values = pieces.finish(this);
    if (!isFormatted && !isTemplate) {
      const only = values[0];
      const value = only?.kind === 'Constant' ? (only.value as string) : '';
      return this.constant(isBytes ? 'bytes' : 'str', value, start, this.end);
    }
    const joined = {
      kind: isTemplate ? 'TemplateStr' : 'JoinedStr',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      values,
    };
    return joined as JoinedStr | TemplateStr;
  }

  #formatted(pieces: Pieces, flags: number): void {
    this.at++;
    if (this.isTooDeep(4)) {
      this.accept(t.FSTRING_END);
      return;
    }
    this.#contents(pieces, flags, false);
    this.depth -= 4;
    if (!this.accept(t.FSTRING_END)) this.error('expected the end of the f-string');
  }

  #contents(pieces: Pieces, flags: number, isSpecification: boolean): void {
    for (;;) {
      if (this.kind === t.FSTRING_MIDDLE) {
        const from = this.start;
        const own = this.tokens.extra[this.at] as number;
        const written = this.text.slice(from - this.base, this.tokens.ends[this.at] as number);
        this.at++;
        pieces.text(decodePiece(written, own, (own & t.RAW) !== 0, isSpecification), from, this.end);
      } else if (this.kind === t.LBRACE) this.#field(pieces, flags);
      else return;
    }
  }

  #field(pieces: Pieces, flags: number): void {
    const start = this.start;
    const before = this.at;
    this.at++;
    if (this.isTooDeep(4)) {
      this.accept(t.RBRACE);
      return;
    }
    const value = this.field();
    const valueEnd = this.end - this.base;
    const isDebug = this.accept(t.EQUAL);
    const textEnd = this.start;
    let conversion: string | undefined;
    if (this.accept(t.EXCLAMATION)) {
      conversion = this.name();
      if (!/^[ars]$/.test(conversion)) this.error('expected a conversion');
    }
    let specification: JoinedStr | undefined;
    if (this.kind === t.COLON) specification = this.#specification(flags);
    if (this.kind !== t.RBRACE) {
      this.error("expected '}'");
      this.skip(false);
    }
    this.accept(t.RBRACE);
    this.depth -= 4;
    if (isDebug) {
      pieces.text(this.#debugText(this.tokens.ends[before] as number, textEnd - this.base), start + 1, textEnd);
      if (conversion === undefined && specification === undefined) conversion = 'r';
    }
    if ((flags & t.TEMPLATE) !== 0) {
      const interpolation: Interpolation = {
        kind: 'Interpolation',
        start,
        end: this.end,
        parent: undefined,
        scope: undefined,
        conditions: undefined,
        value,
        str: this.#debugText(this.tokens.ends[before] as number, valueEnd).trimEnd(),
        conversion,
        format_spec: specification,
      };
      return pieces.add(interpolation, this);
    }
    const formatted: FormattedValue = {
      kind: 'FormattedValue',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      value,
      conversion,
      format_spec: specification,
    };
    pieces.add(formatted, this);
  }

  /** The text of `{value=}` as written, without comments. */
  #debugText(from: number, end: number): string {
    const written = this.text.slice(from, end).replace(/\r\n?/g, '\n');
    if (!written.includes('#')) return written;
    const { comments } = this.tokens;
    let text = '';
    let at = from;
    for (let index = firstFrom(comments, from); (comments[index]?.start ?? end) < end; index++) {
      const comment = comments[index] as Span;
      text += this.text.slice(at, comment.start);
      at = comment.end;
    }
    return (text + this.text.slice(at, end)).replace(/\r\n?/g, '\n');
  }

  #specification(flags: number): JoinedStr {
    const start = this.start;
    this.at++;
    const pieces = new Pieces();
    this.#contents(pieces, flags & ~t.TEMPLATE, true);
    return {
      kind: 'JoinedStr',
      start,
      end: this.end,
      parent: undefined,
      scope: undefined,
      conditions: undefined,
      values: pieces.finish(this),
    };
  }
}

/** The index of the first span that starts at or after an offset. */
function firstFrom(spans: readonly Span[], start: number): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle] as Span).start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Collects the values of an f-string; adjacent texts become one. */
class Pieces {
  readonly #values: Expression[] = [];
  readonly #texts: string[] = [];
  #start = 0;
  #end = 0;

  text(text: string, start: number, end: number): void {
    if (this.#texts.length === 0) this.#start = start;
    this.#texts.push(text);
    this.#end = end;
  }

  add(value: Expression, literals: Literals): void {
    this.#flush(literals);
    this.#values.push(value);
  }

  finish(literals: Literals): readonly Expression[] {
    this.#flush(literals);
    return this.#values.length === 0 ? NOTHING : this.#values;
  }

  #flush(literals: Literals): void {
    if (this.#texts.length === 0) return;
    const text = this.#texts.join('');
    if (text !== '') this.#values.push(literals.constant('str', text, this.#start, this.#end));
    this.#texts.length = 0;
  }
}
