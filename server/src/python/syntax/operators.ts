/** Operators and delimiters: their recognition, and the precedence of the binary ones. */
import type { BinaryOperator, ComparisonOperator } from './nodes.ts';
import * as t from './tokens.ts';

interface Operator {
  readonly text: string;
  readonly kind: number;
  readonly length: number;
}

const BINARY: readonly [BinaryOperator, number][] = [
  ['+', t.PLUS],
  ['-', t.MINUS],
  ['*', t.STAR],
  ['/', t.SLASH],
  ['//', t.DOUBLESLASH],
  ['%', t.PERCENT],
  ['@', t.AT],
  ['**', t.DOUBLESTAR],
  ['<<', t.LEFTSHIFT],
  ['>>', t.RIGHTSHIFT],
  ['&', t.AMPER],
  ['|', t.VBAR],
  ['^', t.CIRCUMFLEX],
];

const COMPARISONS: readonly [string, number, ComparisonOperator][] = [
  ['==', t.EQEQUAL, '=='],
  ['!=', t.NOTEQUAL, '!='],
  ['<>', t.NOTEQUAL, '!='],
  ['<', t.LESS, '<'],
  ['<=', t.LESSEQUAL, '<='],
  ['>', t.GREATER, '>'],
  ['>=', t.GREATEREQUAL, '>='],
];

const OTHERS: readonly [string, number][] = [
  [':', t.COLON],
  [',', t.COMMA],
  [';', t.SEMI],
  ['.', t.DOT],
  ['...', t.ELLIPSIS],
  ['->', t.ARROW],
  ['=', t.EQUAL],
  [':=', t.COLONEQUAL],
  ['!', t.EXCLAMATION],
  ['`', t.BACKTICK],
  ['~', t.TILDE],
];

/** By the code of the first character, longest first. */
const BY_CODE: Operator[][] = Array.from({ length: 128 }, () => []);
for (const [text, kind] of [
  ...BINARY,
  ...BINARY.map(([text, kind]): [string, number] => [`${text}=`, kind + t.AUGMENTED]),
  ...COMPARISONS,
  ...OTHERS,
])
  BY_CODE[text.charCodeAt(0)]?.push({ text, kind: kind as number, length: text.length });
for (const operators of BY_CODE) operators.sort((a, b) => b.length - a.length);

const NONE: Operator = { text: '', kind: t.INVALID, length: 1 };

/** Returns the operator at an offset, where the character is `code`; INVALID if there is none. */
export function operatorAt(text: string, at: number, code: number): Operator {
  const operators = BY_CODE[code] as Operator[];
  for (let index = 0; index < operators.length; index++) {
    const operator = operators[index] as Operator;
    if (operator.length === 1) return operator;
    if (text.charCodeAt(at + 1) !== operator.text.charCodeAt(1)) continue;
    if (operator.length === 2 || text.charCodeAt(at + 2) === operator.text.charCodeAt(2)) return operator;
  }
  return NONE;
}

/** Precedence of the binary operators, loosest first. */
export const OR_LEVEL = 1;
export const AND_LEVEL = 2;
export const NOT_LEVEL = 3;
export const COMPARISON_LEVEL = 4;
export const BITWISE_OR_LEVEL = 5;

/** The level of each kind of token as a binary operator; 0 for none. `**` is read together with its operands. */
export const LEVELS = new Uint8Array(128);
LEVELS[t.OR] = OR_LEVEL;
LEVELS[t.AND] = AND_LEVEL;
for (const kind of [t.IN, t.IS, t.NOT, ...COMPARISONS.map(([, kind]) => kind)]) LEVELS[kind] = COMPARISON_LEVEL;
LEVELS[t.VBAR] = BITWISE_OR_LEVEL;
LEVELS[t.CIRCUMFLEX] = 6;
LEVELS[t.AMPER] = 7;
LEVELS[t.LEFTSHIFT] = LEVELS[t.RIGHTSHIFT] = 8;
LEVELS[t.PLUS] = LEVELS[t.MINUS] = 9;
for (const kind of [t.STAR, t.SLASH, t.DOUBLESLASH, t.PERCENT, t.AT]) LEVELS[kind] = 10;

/** The spelling of binary operators and comparisons, by kind. */
export const BINARY_TEXTS: BinaryOperator[] = [];
for (const [text, kind] of BINARY) BINARY_TEXTS[kind] = text;
export const COMPARISON_TEXTS: ComparisonOperator[] = [];
for (const [, kind, text] of COMPARISONS) COMPARISON_TEXTS[kind] = text;
COMPARISON_TEXTS[t.IN] = 'in';
COMPARISON_TEXTS[t.IS] = 'is';
