/** Tokens of Jinja templates, as produced by `jinja2/lexer.py` of Jinja 3.1 with the default delimiters. */
import { PYTHON_BLANK } from '../../../encodings/pythonText.ts';

type TokenKind = 'text' | 'open' | 'close' | 'name' | 'number' | 'string' | 'operator';

export interface Token {
  readonly kind: TokenKind;
  /** `{{` or `{%` at the start of an expression or a statement; for a string, its content. */
  readonly value: string;
}

/** The reason why a template is rejected, as a clause that follows "Its chat template". */
export class TemplateTrouble extends Error {
  /** True if a template accesses Python's internal objects, which no chat needs. */
  readonly isEscape: boolean;

  constructor(message: string, isWayOut = false) {
    super(message);
    this.isEscape = isWayOut;
  }
}

const BLANKS = /[ \t\n\r\f\v]*/y;
const NAME = /[A-Za-z_]\w*/y;
// Digits of other scripts, which Python also accepts, are rejected like any other unknown character.
const NUMBER = /0[xob][\da-f_]+|\d+(?:_\d+)*(?:\.\d+(?:_\d+)*)?(?:e[+-]?\d+(?:_\d+)*)?/iy;
const STRING = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
const OPERATOR = /\/\/|\*\*|[=!<>]=|[-+/*%~[\](){}<>=.:|,;]/y;
const RAW = new RegExp(`\\{%[-+]?${PYTHON_BLANK}*raw${PYTHON_BLANK}*-?%\\}`, 'y');
const END_RAW = new RegExp(`\\{%[-+]?${PYTHON_BLANK}*endraw${PYTHON_BLANK}*[-+]?%\\}`, 'g');
const OPENING = /\{[{%#]/g;

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Splits a template into tokens in linear time. @throws TemplateTrouble */
export function tokensOf(template: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < template.length) {
    OPENING.lastIndex = at;
    const opening = OPENING.exec(template);
    if (opening?.index !== at) tokens.push({ kind: 'text', value: '' });
    if (!opening) break;
    at = opening.index;
    if (opening[0] === '{#') at = endOfComment(template, at);
    else if (matchAt(RAW, template, at) !== undefined) at = endOfRaw(template, at, tokens);
    else at = readTag(template, at, opening[0], tokens);
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function endOfComment(template: string, at: number): number {
  const end = template.indexOf('#}', at + 2);
  if (end < 0) throw new TemplateTrouble('has an unclosed comment');
  return end + 2;
}

function endOfRaw(template: string, at: number, tokens: Token[]): number {
  END_RAW.lastIndex = at + (matchAt(RAW, template, at)?.length ?? 0);
  const end = END_RAW.exec(template);
  if (!end) throw new TemplateTrouble('has an unclosed raw block');
  tokens.push({ kind: 'text', value: '' });
  return end.index + end[0].length;
}

/** Reads an expression or a statement and returns its end. */
function readTag(template: string, start: number, opening: string, tokens: Token[]): number {
  const closing = opening === '{{' ? '}}' : '%}';
  const open: string[] = [];
  tokens.push({ kind: 'open', value: opening });
  let at = start + 2;
  if (template[at] === '-' || template[at] === '+') at++;
  for (;;) {
    at += matchAt(BLANKS, template, at)?.length ?? 0;
    if (at >= template.length) throw new TemplateTrouble('has an unclosed expression');
    const marked = template[at] === '-' || (template[at] === '+' && closing === '%}') ? 1 : 0;
    // Within brackets, the closing delimiter belongs to nested braces.
    if (open.length === 0 && template.startsWith(closing, at + marked)) {
      tokens.push({ kind: 'close', value: closing });
      return at + marked + 2;
    }
    const token = tokenAt(template, at);
    if (!token) throw new TemplateTrouble(`has \`${template.slice(at, at + 10)}\` where Jinja does not allow it`);
    const [kind, source] = token;
    if (kind === 'operator') trackBrackets(source, open);
    tokens.push({ kind, value: kind === 'string' ? source.slice(1, -1) : source });
    at += source.length;
  }
}

function tokenAt(template: string, at: number): readonly [TokenKind, string] | undefined {
  for (const [kind, pattern] of [
    ['name', NAME],
    ['number', NUMBER],
    ['string', STRING],
    ['operator', OPERATOR],
  ] as const) {
    const source = matchAt(pattern, template, at);
    if (source !== undefined) return [kind, source];
  }
  return undefined;
}

/** Tracks open brackets. */
function trackBrackets(operator: string, open: string[]): void {
  const closing = CLOSING[operator];
  if (closing !== undefined) open.push(closing);
  else if (/^[)\]}]$/.test(operator) && open.pop() !== operator)
    throw new TemplateTrouble(`has an unmatched \`${operator}\``);
}
