/**
 * The syntax tree that the analysis works on, shaped like the one of Python's own `ast` module. It knows nothing of the
 * parser that made it. Offsets are UTF-16 offsets into the program's text.
 */
import type { Facts } from './semantic/pathConditions.ts';
import type { Definition, Scope } from './semantic/scopes.ts';

interface Base {
  readonly span: { readonly start: number; readonly end: number };
  /** The node around this one; absent for the module's own statements. */
  parent?: Node | undefined;
}

interface BaseExpression extends Base {
  /** Under which conditions the expression runs; filled in by `flow.ts`. */
  facts?: Facts;
  /** The scope whose code the expression is; filled in by `flow.ts`. */
  scope?: Scope;
}

interface HasScope {
  /** The scope that it makes; filled in by `flow.ts`. */
  inner?: Scope;
}

export interface Name extends BaseExpression {
  kind: 'Name';
  id: string;
  /** The definitions that may reach this use; filled in by `flow.ts`. */
  definitions?: readonly Definition[];
}
export interface Attribute extends BaseExpression {
  kind: 'Attribute';
  value: Expression;
  attr: string;
  /** The assignments to this very path (`self.x`, `args.x`) that may reach this use; filled in by `flow.ts`. */
  definitions?: readonly Definition[];
}
export interface Subscript extends BaseExpression {
  kind: 'Subscript';
  value: Expression;
  index: Expression;
  definitions?: readonly Definition[];
}
export interface Argument extends Base {
  kind: 'Argument';
  /** The keyword, for `name=value`. */
  name?: string;
  /** `*` or `**` for an unpacked argument. */
  star?: '*' | '**';
  value: Expression;
}
export interface Call extends BaseExpression {
  kind: 'Call';
  func: Expression;
  args: Argument[];
  /** Where the opening bracket of the arguments is, counted from the start of the call. */
  open: number;
}
export interface Str extends BaseExpression {
  kind: 'Str';
  /** The text, escapes left as written; absent when an expression is interpolated, or for bytes. */
  value?: string;
  /** Expressions inside an f-string's braces. */
  parts: Expression[];
}
export interface Num extends BaseExpression {
  kind: 'Num';
  value: number;
}
export interface Constant extends BaseExpression {
  kind: 'Constant';
  value: true | false | null;
}
export interface BoolOp extends BaseExpression {
  kind: 'BoolOp';
  op: 'and' | 'or';
  left: Expression;
  right: Expression;
}
export interface UnaryOp extends BaseExpression {
  kind: 'UnaryOp';
  /** `not`, `-`, `+` or `~` */
  op: string;
  operand: Expression;
}
export interface BinOp extends BaseExpression {
  kind: 'BinOp';
  op: string;
  left: Expression;
  right: Expression;
}
export interface Compare extends BaseExpression {
  kind: 'Compare';
  /** One more operand than operators. */
  operands: Expression[];
  ops: string[];
}
export interface IfExp extends BaseExpression {
  kind: 'IfExp';
  test: Expression;
  body: Expression;
  orelse: Expression;
}
export interface Lambda extends BaseExpression, HasScope {
  kind: 'Lambda';
  params: Parameter[];
  body: Expression;
}
export interface Generator extends Base {
  kind: 'Generator';
  target: Expression;
  iter: Expression;
  conditions: Expression[];
}
export interface Comprehension extends BaseExpression, HasScope {
  kind: 'Comprehension';
  /** One element, or key and value. */
  elements: Expression[];
  generators: Generator[];
}
/** A tuple, list or set display. */
export interface Sequence extends BaseExpression {
  kind: 'Sequence';
  display: 'tuple' | 'list' | 'set';
  items: Expression[];
}
export interface DictEntry extends Base {
  kind: 'DictEntry';
  /** Absent for `**other`. */
  key?: Expression;
  value: Expression;
}
export interface Dict extends BaseExpression {
  kind: 'Dict';
  entries: DictEntry[];
}
export interface NamedExpr extends BaseExpression {
  kind: 'NamedExpr';
  target: Name;
  value: Expression;
}
export interface Starred extends BaseExpression {
  kind: 'Starred';
  value: Expression;
}
/** Any other expression: `await`, `yield`, slices, type expressions, what the parser could not read. */
export interface OtherExpression extends BaseExpression {
  kind: 'OtherExpression';
  children: Expression[];
  /** `await x` is transparent: its value is the value of `x`. */
  isAwait?: boolean;
}

export type Expression =
  | Name
  | Attribute
  | Subscript
  | Call
  | Str
  | Num
  | Constant
  | BoolOp
  | UnaryOp
  | BinOp
  | Compare
  | IfExp
  | Lambda
  | Comprehension
  | Sequence
  | Dict
  | NamedExpr
  | Starred
  | OtherExpression;

export interface Parameter extends Base {
  kind: 'Parameter';
  name: string;
  star?: '*' | '**';
  annotation?: Expression;
  default?: Expression;
}

export interface ExpressionStatement extends Base {
  kind: 'ExpressionStatement';
  value: Expression;
}
/** `a = b = value`, `a: T = value`, `a: T` and `a += value`. */
export interface Assign extends Base {
  kind: 'Assign';
  targets: Expression[];
  annotation?: Expression;
  value?: Expression;
  /** The operator of `+=` and its kin: `+`. */
  operator?: string;
}
export interface Return extends Base {
  kind: 'Return';
  value?: Expression;
}
export interface Raise extends Base {
  kind: 'Raise';
  value?: Expression;
  cause?: Expression;
}
export interface Assert extends Base {
  kind: 'Assert';
  test: Expression;
  message?: Expression;
}
export interface Delete extends Base {
  kind: 'Delete';
  targets: Expression[];
}
export interface Jump extends Base {
  kind: 'Jump';
  to: 'break' | 'continue';
}
/** `pass` and what has no meaning here. */
export interface Pass extends Base {
  kind: 'Pass';
}
/** `global` or `nonlocal`. */
export interface ScopeDeclaration extends Base {
  kind: 'ScopeDeclaration';
  of: 'global' | 'nonlocal';
  names: string[];
}
export interface ImportedName extends Base {
  kind: 'ImportedName';
  /** Dotted for `import a.b`; a plain name for `from m import a`. */
  name: string;
  asName?: string;
}
/** `import a.b as c` (`module` absent) or `from module import a as b`. */
export interface Import extends Base {
  kind: 'Import';
  /** With its leading dots for relative imports. */
  module?: string;
  names: ImportedName[];
  /** `from m import *` */
  isStar: boolean;
}
export interface If extends Base {
  kind: 'If';
  test: Expression;
  body: Statement[];
  /** An `elif` is an If here. */
  orelse: Statement[];
}
export interface While extends Base {
  kind: 'While';
  test: Expression;
  body: Statement[];
  orelse: Statement[];
}
export interface For extends Base {
  kind: 'For';
  target: Expression;
  iter: Expression;
  body: Statement[];
  orelse: Statement[];
}
export interface WithItem extends Base {
  kind: 'WithItem';
  context: Expression;
  target?: Expression;
}
export interface With extends Base {
  kind: 'With';
  items: WithItem[];
  body: Statement[];
}
export interface ExceptHandler extends Base {
  kind: 'ExceptHandler';
  type?: Expression;
  name?: string;
  body: Statement[];
}
export interface Try extends Base {
  kind: 'Try';
  body: Statement[];
  handlers: ExceptHandler[];
  orelse: Statement[];
  finalbody: Statement[];
}
export interface MatchCase extends Base {
  kind: 'MatchCase';
  /** The pattern's literals and names as expressions; `isCatchAll` for `_` and bare names. */
  alternatives: Expression[];
  isCatchAll: boolean;
  guard?: Expression;
  body: Statement[];
}
export interface Match extends Base {
  kind: 'Match';
  subject: Expression;
  cases: MatchCase[];
}
export interface FunctionDef extends Base, HasScope {
  kind: 'FunctionDef';
  name: string;
  decorators: Expression[];
  params: Parameter[];
  returns?: Expression;
  body: Statement[];
}
export interface ClassDef extends Base, HasScope {
  kind: 'ClassDef';
  name: string;
  decorators: Expression[];
  args: Argument[];
  body: Statement[];
}
/** What the parser could not read, with what it found inside. */
export interface Broken extends Base {
  kind: 'Broken';
  children: Statement[];
}

export type Statement =
  | ExpressionStatement
  | Assign
  | Return
  | Raise
  | Assert
  | Delete
  | Jump
  | Pass
  | ScopeDeclaration
  | Import
  | If
  | While
  | For
  | With
  | Try
  | Match
  | FunctionDef
  | ClassDef
  | Broken;

export type Node =
  | Expression
  | Statement
  | Argument
  | Generator
  | DictEntry
  | Parameter
  | ImportedName
  | WithItem
  | ExceptHandler
  | MatchCase;

const STATEMENTS: ReadonlySet<Node['kind']> = new Set<Statement['kind']>([
  'ExpressionStatement',
  'Assign',
  'Return',
  'Raise',
  'Assert',
  'Delete',
  'Jump',
  'Pass',
  'ScopeDeclaration',
  'Import',
  'If',
  'While',
  'For',
  'With',
  'Try',
  'Match',
  'FunctionDef',
  'ClassDef',
  'Broken',
]);

export const isStatement = (node: Node): node is Statement => STATEMENTS.has(node.kind);

/** Of two nodes that start at one place, the outer one comes first. */
export function bySourceOrder(a: Node, b: Node): number {
  return a.span.start - b.span.start || b.span.end - a.span.end;
}

/** The lists of statements that are directly in a node; those of handlers and cases are in these. */
export function blocksOf(node: Node): readonly (readonly Statement[])[] {
  switch (node.kind) {
    case 'If':
    case 'While':
    case 'For':
      return [node.body, node.orelse];
    case 'With':
    case 'ExceptHandler':
    case 'MatchCase':
    case 'FunctionDef':
    case 'ClassDef':
      return [node.body];
    case 'Try':
      return [node.body, node.orelse, node.finalbody];
    case 'Broken':
      return [node.children];
    default:
      return [];
  }
}

/** Calls `visit` for each direct child, in source order as far as the grammar has one. */
export function forEachChild(node: Node, visit: (child: Node) => void): void {
  switch (node.kind) {
    case 'Attribute':
    case 'Starred':
    case 'ExpressionStatement':
    case 'Argument':
      return visit(node.value);
    case 'Subscript':
      visit(node.value);
      return visit(node.index);
    case 'Call':
      visit(node.func);
      return visitAll(node.args, visit);
    case 'Str':
      return visitAll(node.parts, visit);
    case 'BoolOp':
    case 'BinOp':
      visit(node.left);
      return visit(node.right);
    case 'UnaryOp':
      return visit(node.operand);
    case 'Compare':
      return visitAll(node.operands, visit);
    case 'IfExp':
      visit(node.body);
      visit(node.test);
      return visit(node.orelse);
    case 'Lambda':
      visitAll(node.params, visit);
      return visit(node.body);
    case 'Generator':
      visit(node.target);
      visit(node.iter);
      return visitAll(node.conditions, visit);
    case 'Comprehension':
      visitAll(node.elements, visit);
      return visitAll(node.generators, visit);
    case 'Sequence':
      return visitAll(node.items, visit);
    case 'DictEntry':
      if (node.key) visit(node.key);
      return visit(node.value);
    case 'Dict':
      return visitAll(node.entries, visit);
    case 'NamedExpr':
      visit(node.target);
      return visit(node.value);
    case 'OtherExpression':
    case 'Broken':
      return visitAll(node.children, visit);
    case 'Parameter':
      if (node.annotation) visit(node.annotation);
      if (node.default) visit(node.default);
      return;
    case 'Assign':
      visitAll(node.targets, visit);
      if (node.annotation) visit(node.annotation);
      if (node.value) visit(node.value);
      return;
    case 'Return':
      if (node.value) visit(node.value);
      return;
    case 'Raise':
      if (node.value) visit(node.value);
      if (node.cause) visit(node.cause);
      return;
    case 'Assert':
      visit(node.test);
      if (node.message) visit(node.message);
      return;
    case 'Delete':
      return visitAll(node.targets, visit);
    case 'Import':
      return visitAll(node.names, visit);
    case 'If':
    case 'While':
      visit(node.test);
      visitAll(node.body, visit);
      return visitAll(node.orelse, visit);
    case 'For':
      visit(node.target);
      visit(node.iter);
      visitAll(node.body, visit);
      return visitAll(node.orelse, visit);
    case 'WithItem':
      visit(node.context);
      if (node.target) visit(node.target);
      return;
    case 'With':
      visitAll(node.items, visit);
      return visitAll(node.body, visit);
    case 'ExceptHandler':
      if (node.type) visit(node.type);
      return visitAll(node.body, visit);
    case 'Try':
      visitAll(node.body, visit);
      visitAll(node.handlers, visit);
      visitAll(node.orelse, visit);
      return visitAll(node.finalbody, visit);
    case 'MatchCase':
      visitAll(node.alternatives, visit);
      if (node.guard) visit(node.guard);
      return visitAll(node.body, visit);
    case 'Match':
      visit(node.subject);
      return visitAll(node.cases, visit);
    case 'FunctionDef':
      visitAll(node.decorators, visit);
      visitAll(node.params, visit);
      if (node.returns) visit(node.returns);
      return visitAll(node.body, visit);
    case 'ClassDef':
      visitAll(node.decorators, visit);
      visitAll(node.args, visit);
      return visitAll(node.body, visit);
    default:
      return;
  }
}

function visitAll(nodes: readonly Node[], visit: (node: Node) => void): void {
  for (let index = 0; index < nodes.length; index++) visit(nodes[index] as Node);
}

/** Calls `visit` for the node and everything below it, outermost first; `false` skips what is below. */
export function walk(node: Node, visit: (node: Node) => unknown): void {
  const step = (each: Node): void => {
    if (visit(each) !== false) forEachChild(each, step);
  };
  step(node);
}
