/** Numbers and strings, including f-strings and their fields. */
import { countBelow } from './ascending.ts';
import { type Cursor, NOTHING } from './cursor.ts';
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

/** A parser that reads the expression in a field of an f-string. */
interface FieldParser extends Cursor {
  yieldOrExpressions(): Expression;
}

function constantNode(type: Constant['type'], value: Constant['value'], start: number, end: number): Constant {
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
export function constantWord(p: Cursor, type: Constant['type'], value: Constant['value']): Constant {
  const start = p.start;
  p.at++;
  return constantNode(type, value, start, p.end);
}

export function readNumber(p: Cursor): Constant | BrokenExpression {
  const start = p.start;
  const kind = p.tokens.extra[p.at] as number;
  if (kind === t.PYTHON2_INT) p.isPython2 = true;
  const value = numberValue(p.text, start - p.base, p.tokens.ends[p.at] as number, kind);
  if (value === undefined) p.error('integer has more digits than Python accepts');
  p.at++;
  if (value === undefined) return p.broken(start);
  return constantNode(NUMBER_TYPES[kind] as 'int', value, start, p.end);
}

/** Reads one or more adjacent string literals. */
export function readString(p: FieldParser): Expression {
  const next = p.peek(1);
  if (p.kind === t.STRING && next !== t.STRING && next !== t.FSTRING_START) {
    const start = p.start;
    const flags = p.tokens.extra[p.at] as number;
    const value = stringValue(p, flags);
    p.at++;
    return constantNode((flags & t.BYTES) !== 0 ? 'bytes' : 'str', value, start, p.end);
  }
  return joinedStrings(p);
}

/** The value of the next token, a string without fields. */
function stringValue(p: Cursor, flags: number): string {
  const { starts, ends } = p.tokens;
  const quotes = (flags & t.TRIPLE) !== 0 ? 3 : 1;
  const from = (starts[p.at] as number) + (flags >> t.PREFIX_SHIFT) + quotes;
  const end = (ends[p.at] as number) - quotes;
  // An unterminated string may be shorter than its quotes.
  const written = p.text.slice(from, Math.max(from, end));
  if ((flags & (t.ESCAPES | t.TRIPLE)) === 0) return written;
  return decode(written, flags, (flags & t.RAW) !== 0, (flags & t.BYTES) !== 0);
}

function joinedStrings(p: FieldParser): Expression {
  const start = p.start;
  const pieces = new Pieces();
  let isBytes = false;
  let isFormatted = false;
  let isTemplate = false;
  for (;;) {
    const flags = p.tokens.extra[p.at] as number;
    if (p.kind === t.STRING) {
      const from = p.start;
      const value = stringValue(p, flags);
      p.at++;
      isBytes ||= (flags & t.BYTES) !== 0;
      pieces.text(value, from, p.end);
    } else if (p.kind === t.FSTRING_START) {
      if ((flags & t.TEMPLATE) !== 0) isTemplate = true;
      else isFormatted = true;
      readFormatted(p, pieces, flags);
    } else break;
  }
  const values = pieces.finish();
  if (!isFormatted && !isTemplate) {
    const only = values[0];
    const value = only?.kind === 'Constant' ? (only.value as string) : '';
    return constantNode(isBytes ? 'bytes' : 'str', value, start, p.end);
  }
  const joined = {
    kind: isTemplate ? 'TemplateStr' : 'JoinedStr',
    start,
    end: p.end,
    values,
  };
  return joined as JoinedStr | TemplateStr;
}

function readFormatted(p: FieldParser, pieces: Pieces, flags: number): void {
  p.at++;
  if (p.isTooDeep(4)) {
    p.accept(t.FSTRING_END);
    return;
  }
  readContents(p, pieces, flags, false);
  p.depth -= 4;
  if (!p.accept(t.FSTRING_END)) p.error('expected the end of the f-string');
}

function readContents(p: FieldParser, pieces: Pieces, flags: number, isSpecification: boolean): void {
  for (;;) {
    if (p.kind === t.FSTRING_MIDDLE) {
      const from = p.start;
      const own = p.tokens.extra[p.at] as number;
      const written = p.text.slice(from - p.base, p.tokens.ends[p.at] as number);
      p.at++;
      pieces.text(decodePiece(written, own, (own & t.RAW) !== 0, isSpecification), from, p.end);
    } else if (p.kind === t.LBRACE) readField(p, pieces, flags);
    else return;
  }
}

function readField(p: FieldParser, pieces: Pieces, flags: number): void {
  const start = p.start;
  const before = p.at;
  p.at++;
  if (p.isTooDeep(4)) {
    p.accept(t.RBRACE);
    return;
  }
  const value = p.yieldOrExpressions();
  const valueEnd = p.end - p.base;
  const isDebug = p.accept(t.EQUAL);
  const textEnd = p.start;
  let conversion: string | undefined;
  if (p.accept(t.EXCLAMATION)) {
    conversion = p.name();
    if (!/^[ars]$/.test(conversion)) p.error('expected a conversion');
  }
  let specification: JoinedStr | undefined;
  if (p.kind === t.COLON) specification = readSpecification(p, flags);
  if (p.kind !== t.RBRACE) {
    p.error("expected '}'");
    p.skip(false);
  }
  p.accept(t.RBRACE);
  p.depth -= 4;
  if (isDebug) {
    pieces.text(debugText(p, p.tokens.ends[before] as number, textEnd - p.base), start + 1, textEnd);
    if (conversion === undefined && specification === undefined) conversion = 'r';
  }
  if ((flags & t.TEMPLATE) !== 0) {
    const interpolation: Interpolation = {
      kind: 'Interpolation',
      start,
      end: p.end,
      parent: undefined,
      value,
      str: debugText(p, p.tokens.ends[before] as number, valueEnd).trimEnd(),
      conversion,
      format_spec: specification,
    };
    return pieces.add(interpolation);
  }
  const formatted: FormattedValue = {
    kind: 'FormattedValue',
    start,
    end: p.end,
    parent: undefined,
    value,
    conversion,
    format_spec: specification,
  };
  pieces.add(formatted);
}

/** The text of `{value=}` as written, without comments. */
function debugText(p: Cursor, from: number, end: number): string {
  const written = p.text.slice(from, end).replace(/\r\n?/g, '\n');
  if (!written.includes('#')) return written;
  const { comments } = p.tokens;
  let text = '';
  let at = from;
  for (let index = countBelow(comments, from, ({ start }) => start); (comments[index]?.start ?? end) < end; index++) {
    const comment = comments[index] as Span;
    text += p.text.slice(at, comment.start);
    at = comment.end;
  }
  return (text + p.text.slice(at, end)).replace(/\r\n?/g, '\n');
}

function readSpecification(p: FieldParser, flags: number): JoinedStr {
  const start = p.start;
  p.at++;
  const pieces = new Pieces();
  readContents(p, pieces, flags & ~t.TEMPLATE, true);
  return { kind: 'JoinedStr', start, end: p.end, parent: undefined, values: pieces.finish() };
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

  add(value: Expression): void {
    this.#flush();
    this.#values.push(value);
  }

  finish(): readonly Expression[] {
    this.#flush();
    return this.#values.length === 0 ? NOTHING : this.#values;
  }

  #flush(): void {
    if (this.#texts.length === 0) return;
    const text = this.#texts.join('');
    if (text !== '') this.#values.push(constantNode('str', text, this.#start, this.#end));
    this.#texts.length = 0;
  }
}
