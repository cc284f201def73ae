/**
 * The nodes of a syntax tree, named and shaped as in Python's own `ast` module, with these differences:
 *
 * - `start` and `end` are UTF-16 offsets. Spans match CPython's: they exclude the decorators of a definition and the
 *   brackets around an expression that is not a tuple.
 * - A flag replaces a second class: `isAsync` for AsyncFunctionDef, AsyncFor and AsyncWith, `isStar` for TryStar.
 * - Operators are strings as written (`not in`). There is no `ctx`.
 * - An absent node is `undefined`; lists are never absent.
 * - `Print`, `Exec` and `Repr` are Python 2's, as in its `ast`. `Magic` is IPython's. `Broken` and `BrokenExpression`
 *   hold the readable parts of invalid code.
 *
 * All nodes of a kind have the same fields in the same order. The semantic model sets `parent` and adds `scope`,
 * `conditions`, `definitions` and `inner`. The most frequent kinds have these from the start: added later, they would
 * be stored outside the node, and a keystroke would take 5 % longer.
 */

interface Base {
  readonly start: number;
  readonly end: number;
  /** The parent node; set by the binder. */
  parent: Node | undefined;
}

interface BaseExpression extends Base {
  /** Reserved for the semantic model. */
  scope?: unknown;
  conditions?: unknown;
}

interface Referring extends BaseExpression {
  /** Reserved for the semantic model. */
  definitions?: unknown;
}

interface Scoping {
  /** Reserved for the semantic model: the scope that the node creates. */
  inner?: unknown;
}

// Expressions

export interface Name extends Referring {
  readonly kind: 'Name';
  /** In Unicode's NFKC form, in which Python compares names. */
  readonly id: string;
}
export interface Attribute extends Referring {
  readonly kind: 'Attribute';
  readonly value: Expression;
  /** Empty if the name after the dot is missing. It ends at the end of the node. */
  readonly attr: string;
}
export interface Subscript extends Referring {
  readonly kind: 'Subscript';
  readonly value: Expression;
  /** A Slice, a Tuple that may contain Slices, or any other expression. */
  readonly slice: Expression;
}
export interface Call extends BaseExpression {
  readonly kind: 'Call';
  readonly func: Expression;
  /** Positional arguments, `*x` as Starred. Keywords may come between them: compare offsets for the source order. */
  readonly args: readonly Expression[];
  readonly keywords: readonly Keyword[];
  /** The offset of the opening bracket of the arguments. */
  readonly open: number;
}
interface BaseConstant extends BaseExpression {
  readonly kind: 'Constant';
}
/** All literals have the same fields; `type` discriminates the value. */
export type Constant = StrConstant | BytesConstant | NumberConstant | BoolConstant | NoneConstant | EllipsisConstant;
export interface StrConstant extends BaseConstant {
  readonly type: 'str';
  /** With escapes decoded and parts joined. `\N{...}` is U+FFFD, because the parser has no table of Unicode names. */
  readonly value: string;
}
interface BytesConstant extends BaseConstant {
  readonly type: 'bytes';
  /** One character per byte. */
  readonly value: string;
}
export interface NumberConstant extends BaseConstant {
  readonly type: 'int' | 'float' | 'complex';
  /** A bigint for an int beyond 2**53; for a complex number, its imaginary part. */
  readonly value: number | bigint;
}
interface BoolConstant extends BaseConstant {
  readonly type: 'bool';
  readonly value: boolean;
}
interface NoneConstant extends BaseConstant {
  readonly type: 'None';
  readonly value: null;
}
interface EllipsisConstant extends BaseConstant {
  readonly type: 'Ellipsis';
  readonly value: undefined;
}
/** An f-string, including adjacent plain strings: string Constants and FormattedValues. */
export interface JoinedStr extends BaseExpression {
  readonly kind: 'JoinedStr';
  readonly values: readonly Expression[];
}
/** `{value!r:format}`; the span includes the braces. */
export interface FormattedValue extends BaseExpression {
  readonly kind: 'FormattedValue';
  readonly value: Expression;
  /** `a`, `r` or `s` */
  readonly conversion: string | undefined;
  readonly format_spec: JoinedStr | undefined;
}
/** A t-string: string Constants and Interpolations. */
export interface TemplateStr extends BaseExpression {
  readonly kind: 'TemplateStr';
  readonly values: readonly Expression[];
}
export interface Interpolation extends BaseExpression {
  readonly kind: 'Interpolation';
  readonly value: Expression;
  /** The source text of `value`. */
  readonly str: string;
  readonly conversion: string | undefined;
  readonly format_spec: JoinedStr | undefined;
}
export interface BoolOp extends BaseExpression {
  readonly kind: 'BoolOp';
  readonly op: 'and' | 'or';
  /** At least two. */
  readonly values: readonly Expression[];
}
export interface UnaryOp extends BaseExpression {
  readonly kind: 'UnaryOp';
  readonly op: 'not' | '-' | '+' | '~';
  readonly operand: Expression;
}
export interface BinOp extends BaseExpression {
  readonly kind: 'BinOp';
  readonly op: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}
export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '@' | '**' | '<<' | '>>' | '&' | '|' | '^';
export interface Compare extends BaseExpression {
  readonly kind: 'Compare';
  readonly left: Expression;
  readonly ops: readonly ComparisonOperator[];
  /** Same length as `ops`. */
  readonly comparators: readonly Expression[];
}
/** Python 2's `<>` is stored as `!=`. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'is' | 'is not' | 'in' | 'not in';
export interface IfExp extends BaseExpression {
  readonly kind: 'IfExp';
  readonly test: Expression;
  readonly body: Expression;
  readonly orelse: Expression;
}
export interface Lambda extends BaseExpression, Scoping {
  readonly kind: 'Lambda';
  readonly args: Arguments;
  readonly body: Expression;
}
export interface ListComp extends BaseExpression, Scoping {
  readonly kind: 'ListComp';
  readonly elt: Expression;
  readonly generators: readonly Comprehension[];
}
export interface SetComp extends BaseExpression, Scoping {
  readonly kind: 'SetComp';
  readonly elt: Expression;
  readonly generators: readonly Comprehension[];
}
export interface GeneratorExp extends BaseExpression, Scoping {
  readonly kind: 'GeneratorExp';
  readonly elt: Expression;
  readonly generators: readonly Comprehension[];
}
export interface DictComp extends BaseExpression, Scoping {
  readonly kind: 'DictComp';
  readonly key: Expression;
  readonly value: Expression;
  readonly generators: readonly Comprehension[];
}
export interface Tuple extends BaseExpression {
  readonly kind: 'Tuple';
  readonly elts: readonly Expression[];
}
export interface List extends BaseExpression {
  readonly kind: 'List';
  readonly elts: readonly Expression[];
}
export interface SetDisplay extends BaseExpression {
  readonly kind: 'Set';
  readonly elts: readonly Expression[];
}
export interface Dict extends BaseExpression {
  readonly kind: 'Dict';
  /** Same length as `values`; undefined for `**other`. */
  readonly keys: readonly (Expression | undefined)[];
  readonly values: readonly Expression[];
}
interface NamedExpr extends BaseExpression {
  readonly kind: 'NamedExpr';
  readonly target: Name;
  readonly value: Expression;
}
export interface Starred extends BaseExpression {
  readonly kind: 'Starred';
  readonly value: Expression;
}
interface Await extends BaseExpression {
  readonly kind: 'Await';
  readonly value: Expression;
}
interface Yield extends BaseExpression {
  readonly kind: 'Yield';
  readonly value: Expression | undefined;
}
interface YieldFrom extends BaseExpression {
  readonly kind: 'YieldFrom';
  readonly value: Expression;
}
interface Slice extends BaseExpression {
  readonly kind: 'Slice';
  readonly lower: Expression | undefined;
  readonly upper: Expression | undefined;
  readonly step: Expression | undefined;
}
/** Python 2's backticks. */
export interface Repr extends BaseExpression {
  readonly kind: 'Repr';
  readonly value: Expression;
}
/** A line of IPython, or the part after `x =` on one; the value of an Expr or of an Assign. */
export interface Magic extends BaseExpression {
  readonly kind: 'Magic';
  /** `%magic`, `%%magic`, `!shell`, `?help`. A `cell` extends to the end of the text unless its text is Python. */
  readonly syntax: 'line' | 'cell' | 'shell' | 'help';
}
/** An invalid expression, or one that is nested too deeply. */
export interface BrokenExpression extends BaseExpression {
  readonly kind: 'BrokenExpression';
  /** Its readable parts. */
  readonly children: readonly Expression[];
}

export type Expression =
  | Name
  | Attribute
  | Subscript
  | Call
  | Constant
  | JoinedStr
  | FormattedValue
  | TemplateStr
  | Interpolation
  | BoolOp
  | UnaryOp
  | BinOp
  | Compare
  | IfExp
  | Lambda
  | ListComp
  | SetComp
  | GeneratorExp
  | DictComp
  | Tuple
  | List
  | SetDisplay
  | Dict
  | NamedExpr
  | Starred
  | Await
  | Yield
  | YieldFrom
  | Slice
  | Repr
  | Magic
  | BrokenExpression;

// Parts of expressions and statements

export interface Keyword extends Base {
  readonly kind: 'keyword';
  /** Undefined for `**value`. */
  readonly arg: string | undefined;
  readonly value: Expression;
}
/** One `for` clause of a comprehension. */
export interface Comprehension extends Base {
  readonly kind: 'comprehension';
  readonly target: Expression;
  readonly iter: Expression;
  readonly ifs: readonly Expression[];
  readonly isAsync: boolean;
}
/** The parameters of a function; the span is the part between the brackets. */
export interface Arguments extends Base {
  readonly kind: 'arguments';
  readonly posonlyargs: readonly Arg[];
  readonly args: readonly Arg[];
  readonly vararg: Arg | undefined;
  readonly kwonlyargs: readonly Arg[];
  /** Same length as `kwonlyargs`. */
  readonly kw_defaults: readonly (Expression | undefined)[];
  readonly kwarg: Arg | undefined;
  /** Defaults of the last of `posonlyargs` and `args`. */
  readonly defaults: readonly Expression[];
}
/** A parameter without its stars and its default. */
export interface Arg extends Base {
  readonly kind: 'arg';
  readonly arg: string;
  readonly annotation: Expression | undefined;
}
export interface Alias extends Base {
  readonly kind: 'alias';
  /** Dotted in an Import; `*` in `from m import *`. */
  readonly name: string;
  readonly asname: string | undefined;
}
export interface WithItem extends Base {
  readonly kind: 'withitem';
  readonly context_expr: Expression;
  readonly optional_vars: Expression | undefined;
}
export interface ExceptHandler extends Base {
  readonly kind: 'ExceptHandler';
  /** Not read-only: the meaning of `except A, b` is known only after the whole text is parsed. */
  type: Expression | undefined;
  name: string | undefined;
  readonly body: readonly Statement[];
}
export interface MatchCase extends Base {
  readonly kind: 'match_case';
  readonly pattern: Pattern;
  readonly guard: Expression | undefined;
  readonly body: readonly Statement[];
}

interface MatchValue extends Base {
  readonly kind: 'MatchValue';
  readonly value: Expression;
}
export interface MatchSingleton extends Base {
  readonly kind: 'MatchSingleton';
  readonly value: boolean | null;
}
interface MatchSequence extends Base {
  readonly kind: 'MatchSequence';
  readonly patterns: readonly Pattern[];
}
interface MatchMapping extends Base {
  readonly kind: 'MatchMapping';
  readonly keys: readonly Expression[];
  readonly patterns: readonly Pattern[];
  readonly rest: string | undefined;
}
interface MatchClass extends Base {
  readonly kind: 'MatchClass';
  readonly cls: Expression;
  readonly patterns: readonly Pattern[];
  readonly kwd_attrs: readonly string[];
  readonly kwd_patterns: readonly Pattern[];
}
interface MatchStar extends Base {
  readonly kind: 'MatchStar';
  readonly name: string | undefined;
}
/** `pattern as name`, a bare name, or `_`, which has neither. */
interface MatchAs extends Base {
  readonly kind: 'MatchAs';
  readonly pattern: Pattern | undefined;
  readonly name: string | undefined;
}
interface MatchOr extends Base {
  readonly kind: 'MatchOr';
  readonly patterns: readonly Pattern[];
}

export type Pattern =
  | MatchValue
  | MatchSingleton
  | MatchSequence
  | MatchMapping
  | MatchClass
  | MatchStar
  | MatchAs
  | MatchOr;

interface TypeVar extends Base {
  readonly kind: 'TypeVar';
  readonly name: string;
  readonly bound: Expression | undefined;
  readonly default_value: Expression | undefined;
}
interface ParamSpec extends Base {
  readonly kind: 'ParamSpec';
  readonly name: string;
  readonly default_value: Expression | undefined;
}
interface TypeVarTuple extends Base {
  readonly kind: 'TypeVarTuple';
  readonly name: string;
  readonly default_value: Expression | undefined;
}

export type TypeParam = TypeVar | ParamSpec | TypeVarTuple;

// Statements

export interface FunctionDef extends Base, Scoping {
  readonly kind: 'FunctionDef';
  readonly isAsync: boolean;
  readonly name: string;
  readonly nameStart: number;
  readonly args: Arguments;
  readonly body: readonly Statement[];
  readonly decorator_list: readonly Expression[];
  /** The offset of the first decorator's `@`; equal to `start` without decorators. */
  readonly decoratedStart: number;
  readonly returns: Expression | undefined;
  readonly type_params: readonly TypeParam[];
}
export interface ClassDef extends Base, Scoping {
  readonly kind: 'ClassDef';
  readonly name: string;
  readonly nameStart: number;
  readonly bases: readonly Expression[];
  readonly keywords: readonly Keyword[];
  readonly body: readonly Statement[];
  readonly decorator_list: readonly Expression[];
  readonly decoratedStart: number;
  readonly type_params: readonly TypeParam[];
}
interface Return extends Base {
  readonly kind: 'Return';
  readonly value: Expression | undefined;
}
export interface Delete extends Base {
  readonly kind: 'Delete';
  readonly targets: readonly Expression[];
}
export interface Assign extends Base {
  readonly kind: 'Assign';
  readonly targets: readonly Expression[];
  readonly value: Expression;
}
export interface AugAssign extends Base {
  readonly kind: 'AugAssign';
  readonly target: Expression;
  readonly op: BinaryOperator;
  readonly value: Expression;
}
export interface AnnAssign extends Base {
  readonly kind: 'AnnAssign';
  readonly target: Expression;
  readonly annotation: Expression;
  readonly value: Expression | undefined;
  /** True if the target is a name without brackets. */
  readonly simple: boolean;
}
export interface TypeAlias extends Base, Scoping {
  readonly kind: 'TypeAlias';
  readonly name: Expression;
  readonly type_params: readonly TypeParam[];
  readonly value: Expression;
}
export interface For extends Base {
  readonly kind: 'For';
  readonly isAsync: boolean;
  readonly target: Expression;
  readonly iter: Expression;
  readonly body: readonly Statement[];
  readonly orelse: readonly Statement[];
}
export interface While extends Base {
  readonly kind: 'While';
  readonly test: Expression;
  readonly body: readonly Statement[];
  readonly orelse: readonly Statement[];
}
export interface If extends Base {
  readonly kind: 'If';
  readonly test: Expression;
  readonly body: readonly Statement[];
  /** An `elif` is a nested If, which starts at that keyword. */
  readonly orelse: readonly Statement[];
}
export interface With extends Base {
  readonly kind: 'With';
  readonly isAsync: boolean;
  readonly items: readonly WithItem[];
  readonly body: readonly Statement[];
}
export interface Match extends Base {
  readonly kind: 'Match';
  readonly subject: Expression;
  readonly cases: readonly MatchCase[];
}
export interface Raise extends Base {
  readonly kind: 'Raise';
  readonly exc: Expression | undefined;
  readonly cause: Expression | undefined;
  /** Python 2's `raise exc, inst, tback` */
  readonly inst: Expression | undefined;
  readonly tback: Expression | undefined;
}
export interface Try extends Base {
  readonly kind: 'Try';
  /** `except*` */
  readonly isStar: boolean;
  readonly body: readonly Statement[];
  readonly handlers: readonly ExceptHandler[];
  readonly orelse: readonly Statement[];
  readonly finalbody: readonly Statement[];
}
interface Assert extends Base {
  readonly kind: 'Assert';
  readonly test: Expression;
  readonly msg: Expression | undefined;
}
export interface Import extends Base {
  readonly kind: 'Import';
  readonly names: readonly Alias[];
}
export interface ImportFrom extends Base {
  readonly kind: 'ImportFrom';
  /** Undefined for `from . import x`. */
  readonly module: string | undefined;
  readonly names: readonly Alias[];
  /** The number of leading dots. */
  readonly level: number;
}
interface Global extends Base {
  readonly kind: 'Global';
  readonly names: readonly string[];
}
interface Nonlocal extends Base {
  readonly kind: 'Nonlocal';
  readonly names: readonly string[];
}
export interface Expr extends Base {
  readonly kind: 'Expr';
  readonly value: Expression;
}
interface Pass extends Base {
  readonly kind: 'Pass';
}
interface Break extends Base {
  readonly kind: 'Break';
}
interface Continue extends Base {
  readonly kind: 'Continue';
}
/** Python 2's `print >>dest, value, value,` */
export interface Print extends Base {
  readonly kind: 'Print';
  readonly dest: Expression | undefined;
  readonly values: readonly Expression[];
}
/** Python 2's `exec body in globals, locals` */
export interface Exec extends Base {
  readonly kind: 'Exec';
  readonly body: Expression;
  readonly globals: Expression | undefined;
  readonly locals: Expression | undefined;
}
/** An invalid statement. */
export interface Broken extends Base {
  readonly kind: 'Broken';
  /** Its readable parts, in the same scope, including the block indented below it. */
  readonly body: readonly Statement[];
}

export type Statement =
  | FunctionDef
  | ClassDef
  | Return
  | Delete
  | Assign
  | AugAssign
  | AnnAssign
  | TypeAlias
  | For
  | While
  | If
  | With
  | Match
  | Raise
  | Try
  | Assert
  | Import
  | ImportFrom
  | Global
  | Nonlocal
  | Expr
  | Pass
  | Break
  | Continue
  | Print
  | Exec
  | Broken;

export type Node =
  | Expression
  | Statement
  | Keyword
  | Comprehension
  | Arguments
  | Arg
  | Alias
  | WithItem
  | ExceptHandler
  | MatchCase
  | Pattern
  | TypeParam;

/** A half-open range of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface ParseError extends Span {
  /** A clause that states the error: `'(' was never closed`. */
  readonly message: string;
}

/** The result of parsing a text. */
export interface Module {
  readonly body: readonly Statement[];
  /** In source order. A text without errors is valid Python 3.14, Python 2 or, in a notebook, IPython. */
  readonly errors: readonly ParseError[];
  /** All comments, in source order. */
  readonly comments: readonly Span[];
  /** All string literals, including prefix and quotes, in source order; those in an f-string's fields follow it. */
  readonly strings: readonly Span[];
  /** True if some statement is valid only in Python 2. */
  readonly isPython2: boolean;
}
