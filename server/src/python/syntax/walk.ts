/** Traversals of a syntax tree. */
import type { Node, Statement } from './nodes.ts';

/** Calls `visit` for each direct child, in source order except that a call's keywords follow its other arguments. */
export function forEachChild(node: Node, visit: (child: Node) => void): void {
  switch (node.kind) {
    case 'Attribute':
    case 'Starred':
    case 'Await':
    case 'YieldFrom':
    case 'Repr':
    case 'Expr':
    case 'keyword':
    case 'MatchValue':
      return visit(node.value);
    case 'Yield':
    case 'Return':
      return visitOne(node.value, visit);
    case 'Subscript':
      visit(node.value);
      return visit(node.slice);
    case 'Call':
      visit(node.func);
      visitAll(node.args, visit);
      return visitAll(node.keywords, visit);
    case 'JoinedStr':
    case 'TemplateStr':
    case 'BoolOp':
      return visitAll(node.values, visit);
    case 'FormattedValue':
    case 'Interpolation':
      visit(node.value);
      return visitOne(node.format_spec, visit);
    case 'UnaryOp':
      return visit(node.operand);
    case 'BinOp':
      visit(node.left);
      return visit(node.right);
    case 'Compare':
      visit(node.left);
      return visitAll(node.comparators, visit);
    case 'IfExp':
      visit(node.body);
      visit(node.test);
      return visit(node.orelse);
    case 'Lambda':
      visit(node.args);
      return visit(node.body);
    case 'ListComp':
    case 'SetComp':
    case 'GeneratorExp':
      visit(node.elt);
      return visitAll(node.generators, visit);
    case 'DictComp':
      visit(node.key);
      visit(node.value);
      return visitAll(node.generators, visit);
    case 'Tuple':
    case 'List':
    case 'Set':
      return visitAll(node.elts, visit);
    case 'Dict':
      for (let index = 0; index < node.values.length; index++) {
        visitOne(node.keys[index], visit);
        visitOne(node.values[index], visit);
      }
      return;
    case 'NamedExpr':
    case 'Assign':
    case 'AugAssign':
    case 'AnnAssign':
    case 'TypeAlias':
      return forEachAssigned(node, visit);
    case 'Slice':
      visitOne(node.lower, visit);
      visitOne(node.upper, visit);
      return visitOne(node.step, visit);
    case 'BrokenExpression':
      return visitAll(node.children, visit);
    case 'comprehension':
      visit(node.target);
      visit(node.iter);
      return visitAll(node.ifs, visit);
    case 'arguments':
      return forEachParameter(node, visit);
    case 'arg':
      return visitOne(node.annotation, visit);
    case 'withitem':
      visit(node.context_expr);
      return visitOne(node.optional_vars, visit);
    case 'ExceptHandler':
      visitOne(node.type, visit);
      return visitAll(node.body, visit);
    case 'match_case':
      visit(node.pattern);
      visitOne(node.guard, visit);
      return visitAll(node.body, visit);
    case 'MatchSequence':
    case 'MatchOr':
      return visitAll(node.patterns, visit);
    case 'MatchMapping':
      for (let index = 0; index < node.keys.length; index++) {
        visitOne(node.keys[index], visit);
        visitOne(node.patterns[index], visit);
      }
      return;
    case 'MatchClass':
      visit(node.cls);
      visitAll(node.patterns, visit);
      return visitAll(node.kwd_patterns, visit);
    case 'MatchAs':
      return visitOne(node.pattern, visit);
    case 'TypeVar':
      visitOne(node.bound, visit);
      return visitOne(node.default_value, visit);
    case 'ParamSpec':
    case 'TypeVarTuple':
      return visitOne(node.default_value, visit);
    case 'FunctionDef':
      visitAll(node.decorator_list, visit);
      visitAll(node.type_params, visit);
      visit(node.args);
      visitOne(node.returns, visit);
      return visitAll(node.body, visit);
    case 'ClassDef':
      visitAll(node.decorator_list, visit);
      visitAll(node.type_params, visit);
      visitAll(node.bases, visit);
      visitAll(node.keywords, visit);
      return visitAll(node.body, visit);
    case 'Delete':
      return visitAll(node.targets, visit);
    case 'For':
      visit(node.target);
      visit(node.iter);
      visitAll(node.body, visit);
      return visitAll(node.orelse, visit);
    case 'While':
    case 'If':
      visit(node.test);
      visitAll(node.body, visit);
      return visitAll(node.orelse, visit);
    case 'With':
      visitAll(node.items, visit);
      return visitAll(node.body, visit);
    case 'Match':
      visit(node.subject);
      return visitAll(node.cases, visit);
    case 'Raise':
      visitOne(node.exc, visit);
      visitOne(node.cause, visit);
      visitOne(node.inst, visit);
      return visitOne(node.tback, visit);
    case 'Try':
      visitAll(node.body, visit);
      visitAll(node.handlers, visit);
      visitAll(node.orelse, visit);
      return visitAll(node.finalbody, visit);
    case 'Assert':
      visit(node.test);
      return visitOne(node.msg, visit);
    case 'Import':
    case 'ImportFrom':
      return visitAll(node.names, visit);
    case 'Print':
      visitOne(node.dest, visit);
      return visitAll(node.values, visit);
    case 'Exec':
      visit(node.body);
      visitOne(node.globals, visit);
      return visitOne(node.locals, visit);
    case 'Broken':
      return visitAll(node.body, visit);
    default:
      return;
  }
}

type Assigning = Extract<Node, { kind: 'NamedExpr' | 'Assign' | 'AugAssign' | 'AnnAssign' | 'TypeAlias' }>;

function forEachAssigned(node: Assigning, visit: (child: Node) => void): void {
  switch (node.kind) {
    case 'Assign':
      visitAll(node.targets, visit);
      return visit(node.value);
    case 'AnnAssign':
      visit(node.target);
      visit(node.annotation);
      return visitOne(node.value, visit);
    case 'TypeAlias':
      visit(node.name);
      visitAll(node.type_params, visit);
      return visit(node.value);
    default:
      visit(node.target);
      return visit(node.value);
  }
}

/** Calls `visit` for each parameter and then its default, in source order. */
function forEachParameter(node: Extract<Node, { kind: 'arguments' }>, visit: (child: Node) => void): void {
  const { posonlyargs, args, defaults, kwonlyargs } = node;
  const first = posonlyargs.length + args.length - defaults.length;
  for (let index = 0; index < posonlyargs.length + args.length; index++) {
    visitOne(index < posonlyargs.length ? posonlyargs[index] : args[index - posonlyargs.length], visit);
    if (index >= first) visitOne(defaults[index - first], visit);
  }
  visitOne(node.vararg, visit);
  for (let index = 0; index < kwonlyargs.length; index++) {
    visitOne(kwonlyargs[index], visit);
    visitOne(node.kw_defaults[index], visit);
  }
  visitOne(node.kwarg, visit);
}

function visitOne(node: Node | undefined, visit: (node: Node) => void): void {
  if (node !== undefined) visit(node);
}

function visitAll(nodes: readonly Node[], visit: (node: Node) => void): void {
  for (let index = 0; index < nodes.length; index++) visit(nodes[index] as Node);
}

/** Calls `visit` for the node and its descendants, outermost first; returning `false` skips the descendants. */
export function walk(node: Node, visit: (node: Node) => unknown): void {
  const step = (each: Node): void => {
    if (visit(each) !== false) forEachChild(each, step);
  };
  step(node);
}

/** Returns the first node that passes a test: a node, or the outermost of its descendants in source order. */
export function findNode(root: Node, isWanted: (node: Node) => boolean): Node | undefined {
  let found: Node | undefined;
  walk(root, (node) => {
    if (found === undefined && isWanted(node)) found = node;
    return found === undefined;
  });
  return found;
}

/** True if a node or one of its descendants passes a test. */
export const someNode = (root: Node, isWanted: (node: Node) => boolean): boolean =>
  findNode(root, isWanted) !== undefined;

/** The lists of statements directly in a node. Handlers and match cases are nodes of their own. */
export function blocksOf(node: Node): readonly (readonly Statement[])[] {
  switch (node.kind) {
    case 'If':
    case 'While':
    case 'For':
      return [node.body, node.orelse];
    case 'Try':
      return [node.body, node.orelse, node.finalbody];
    case 'With':
    case 'ExceptHandler':
    case 'match_case':
    case 'FunctionDef':
    case 'ClassDef':
    case 'Broken':
      return [node.body];
    default:
      return [];
  }
}

const STATEMENTS: ReadonlySet<Node['kind']> = new Set<Statement['kind']>([
  'FunctionDef',
  'ClassDef',
  'Return',
  'Delete',
  'Assign',
  'AugAssign',
  'AnnAssign',
  'TypeAlias',
  'For',
  'While',
  'If',
  'With',
  'Match',
  'Raise',
  'Try',
  'Assert',
  'Import',
  'ImportFrom',
  'Global',
  'Nonlocal',
  'Expr',
  'Pass',
  'Break',
  'Continue',
  'Print',
  'Exec',
  'Broken',
]);

export const isStatement = (node: Node): node is Statement => STATEMENTS.has(node.kind);

/** The offset at which a statement begins, including its decorators. */
export function startOf(statement: Statement): number {
  return 'decoratedStart' in statement ? statement.decoratedStart : statement.start;
}
