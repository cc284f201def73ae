/** The kinds of tokens. The order matters: kinds that are compared as a range are adjacent. */
import type { Span } from './nodes.ts';

export const END = 0;
export const NEWLINE = 1;
export const INDENT = 2;
export const DEDENT = 3;
/** An invalid character. */
export const INVALID = 4;
/** A line of IPython; `extra` is one of the magic kinds below. */
export const MAGIC = 5;
export const NAME = 6;
/** `extra` holds the number flags below. */
export const NUMBER = 7;
/** A string without fields; `extra` holds the string flags below. */
export const STRING = 8;
/** The prefix and quotes of an f-string or t-string; `extra` holds the string flags. */
export const FSTRING_START = 9;
/** Text between fields or in a format specification; `extra` holds the string flags. */
export const FSTRING_MIDDLE = 10;
export const FSTRING_END = 11;

export const LPAR = 12;
export const LSQB = 13;
export const LBRACE = 14;
/** A closing bracket is its opening bracket plus three. */
export const RPAR = 15;
export const RSQB = 16;
export const RBRACE = 17;
export const COLON = 18;
export const COMMA = 19;
export const SEMI = 20;
export const DOT = 21;
export const ELLIPSIS = 22;
export const ARROW = 23;
export const EQUAL = 24;
export const COLONEQUAL = 25;
export const EXCLAMATION = 26;
export const BACKTICK = 27;
export const TILDE = 28;

export const PLUS = 29;
export const MINUS = 30;
export const STAR = 31;
export const SLASH = 32;
export const DOUBLESLASH = 33;
export const PERCENT = 34;
export const AT = 35;
export const DOUBLESTAR = 36;
export const LEFTSHIFT = 37;
export const RIGHTSHIFT = 38;
export const AMPER = 39;
export const VBAR = 40;
export const CIRCUMFLEX = 41;
/** Added to a binary operator for its augmented assignment: `+=` is `+` plus this. */
export const AUGMENTED = 13;
export const LAST_AUGMENTED = CIRCUMFLEX + AUGMENTED;

export const EQEQUAL = 55;
export const NOTEQUAL = 56;
export const LESS = 57;
export const LESSEQUAL = 58;
export const GREATER = 59;
export const GREATEREQUAL = 60;

export const IN = 61;
export const IS = 62;
export const NOT = 63;
export const AND = 64;
export const OR = 65;
export const FALSE = 66;
export const NONE = 67;
export const TRUE = 68;
export const AS = 69;
export const ASSERT = 70;
export const ASYNC = 71;
export const AWAIT = 72;
export const BREAK = 73;
export const CLASS = 74;
export const CONTINUE = 75;
export const DEF = 76;
export const DEL = 77;
export const ELIF = 78;
export const ELSE = 79;
export const EXCEPT = 80;
export const FINALLY = 81;
export const FOR = 82;
export const FROM = 83;
export const GLOBAL = 84;
export const IF = 85;
export const IMPORT = 86;
export const LAMBDA = 87;
export const NONLOCAL = 88;
export const PASS = 89;
export const RAISE = 90;
export const RETURN = 91;
export const TRY = 92;
export const WHILE = 93;
export const WITH = 94;
export const YIELD = 95;

export const KEYWORDS: ReadonlyMap<string, number> = new Map([
  ['in', IN],
  ['is', IS],
  ['not', NOT],
  ['and', AND],
  ['or', OR],
  ['False', FALSE],
  ['None', NONE],
  ['True', TRUE],
  ['as', AS],
  ['assert', ASSERT],
  ['async', ASYNC],
  ['await', AWAIT],
  ['break', BREAK],
  ['class', CLASS],
  ['continue', CONTINUE],
  ['def', DEF],
  ['del', DEL],
  ['elif', ELIF],
  ['else', ELSE],
  ['except', EXCEPT],
  ['finally', FINALLY],
  ['for', FOR],
  ['from', FROM],
  ['global', GLOBAL],
  ['if', IF],
  ['import', IMPORT],
  ['lambda', LAMBDA],
  ['nonlocal', NONLOCAL],
  ['pass', PASS],
  ['raise', RAISE],
  ['return', RETURN],
  ['try', TRY],
  ['while', WHILE],
  ['with', WITH],
  ['yield', YIELD],
]);

/** String flags. */
export const RAW = 1;
export const BYTES = 2;
export const TEMPLATE = 4;
/** Contains a backslash or a doubled brace. */
export const ESCAPES = 8;
export const TRIPLE = 16;
/** Position of the prefix length, which is at most three. */
export const PREFIX_SHIFT = 5;

/** Number flags. */
export const PLAIN_INT = 0;
export const PREFIXED_INT = 1;
export const FLOAT = 2;
export const IMAGINARY = 3;
/** Python 2's `0777` and `7L`. */
export const PYTHON2_INT = 4;

/** Kinds of IPython magics. */
export const LINE_MAGIC = 0;
export const CELL_MAGIC = 1;
export const SHELL_MAGIC = 2;
export const HELP_MAGIC = 3;

/** The tokens of a text, in parallel arrays whose capacity may exceed `count`. */
export interface Tokens {
  readonly count: number;
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Kind-specific data; for a name, its index in `names`. */
  readonly extra: Int32Array;
  readonly names: readonly string[];
  /** In source order. */
  readonly comments: readonly Span[];
}
