/** Converts our syntax tree to CPython's `ast`, in the form that `dump.py` writes: numbers, and texts beside them. */
import type { Expression, Module, Node } from '../../../server/src/python/syntax/nodes.ts';

export interface Dump {
  readonly numbers: Int32Array;
  readonly texts: readonly string[];
}

/** Codes for values other than class numbers, as in `dump.py`. */
const NONE = -1;
const TEXT = -2;
const NUMBER = -3;
const LIST = -4;

/** Line and column (in UTF-8 bytes) of each offset, as CPython counts. */
export class Places {
  readonly lines: Int32Array;
  readonly columns: Int32Array;

  constructor(text: string) {
    this.lines = new Int32Array(text.length + 1);
    this.columns = new Int32Array(text.length + 1);
    let line = 1;
    let column = 0;
    for (let at = 0; at <= text.length; at++) {
      this.lines[at] = line;
      this.columns[at] = column;
      const code = text.charCodeAt(at);
      if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) {
        line++;
        column = 0;
      } else if (code === 13 || (at === 0 && code === 0xfeff)) continue;
      // Half of a four-byte character outside the BMP.
      else column += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
    }
  }
}

const OPERATORS: Readonly<Record<string, string>> = {
  '+': 'Add',
  '-': 'Sub',
  '*': 'Mult',
  '/': 'Div',
  '//': 'FloorDiv',
  '%': 'Mod',
  '@': 'MatMult',
  '**': 'Pow',
  '<<': 'LShift',
  '>>': 'RShift',
  '&': 'BitAnd',
  '|': 'BitOr',
  '^': 'BitXor',
  and: 'And',
  or: 'Or',
  '==': 'Eq',
  '!=': 'NotEq',
  '<': 'Lt',
  '<=': 'LtE',
  '>': 'Gt',
  '>=': 'GtE',
  is: 'Is',
  'is not': 'IsNot',
  in: 'In',
  'not in': 'NotIn',
};
const UNARY: Readonly<Record<string, string>> = { not: 'Not', '-': 'USub', '+': 'UAdd', '~': 'Invert' };

/** A field: a node, a list of fields, a text, a number, or none. */
type Field = Node | Operator | Value | readonly Field[] | string | number | boolean | undefined;

/** An operator, which in Python is a node without fields and position. */
interface Operator {
  readonly class: string;
}
/** A constant's value, in the notation of `dump.py`. */
interface Value {
  readonly notation: string;
}

const operator = (text: string): Operator => ({ class: OPERATORS[text] ?? text });

/** Converts a module; `classes` numbers the classes of `ast`. */
export function dumpOf(module: Module, text: string, classes: ReadonlyMap<string, number>): Dump {
  const places = new Places(text);
  // A piece of an f-string may look like a string literal.
  const literals = new Set(module.strings.map(({ start }) => start));
  const numbers: number[] = [];
  const texts: string[] = [];
  const write = (field: Field): void => {
    if (field === undefined) numbers.push(NONE);
    else if (typeof field === 'string') {
      numbers.push(TEXT);
      texts.push(portable(field));
    } else if (typeof field === 'number' || typeof field === 'boolean') numbers.push(NUMBER, Number(field));
    else if (isList(field)) {
      numbers.push(LIST, field.length);
      for (const one of field) write(one);
    } else if ('class' in field) numbers.push(classes.get(field.class) ?? NaN);
    else if ('notation' in field) {
      numbers.push(TEXT);
      texts.push(field.notation);
    } else writeNode(field);
  };
  const writeNode = (node: Node) => {
    const [name, ...fields] = fieldsOf(node, text, literals);
    numbers.push(classes.get(name) ?? NaN);
    if (!WITHOUT_PLACES.has(node.kind))
      for (const at of [node.start, node.end]) numbers.push(places.lines[at] ?? NaN, places.columns[at] ?? NaN);
    for (const field of fields) write(field);
  };
  numbers.push(LIST, module.body.length);
  for (const statement of module.body) writeNode(statement);
  return { numbers: Int32Array.from(numbers), texts };
}

const isList = (field: Field): field is readonly Field[] => Array.isArray(field);

const WITHOUT_PLACES: ReadonlySet<Node['kind']> = new Set(['arguments', 'comprehension', 'withitem', 'match_case']);

/** The Python class and its fields in the order of `_fields`, omitting fields that do not depend on the text. */
function fieldsOf(node: Node, text: string, literals: ReadonlySet<number>): [string, ...Field[]] {
  const { kind } = node;
  switch (kind) {
    case 'Name':
      return [kind, node.id];
    case 'Attribute':
      return [kind, node.value, node.attr];
    case 'Subscript':
      return [kind, node.value, node.slice];
    case 'Call':
      return [kind, node.func, node.args, node.keywords];
    case 'Constant':
      return [
        kind,
        { notation: valueNotation(node) },
        node.type === 'str' && literals.has(node.start) && /[uU]/.test(text.charAt(node.start)) ? 'u' : undefined,
      ];
    case 'JoinedStr':
    case 'TemplateStr':
      return [kind, node.values];
    case 'FormattedValue':
      return [kind, node.value, node.conversion?.charCodeAt(0) ?? -1, node.format_spec];
    case 'Interpolation':
      return [
        kind,
        node.value,
        { notation: `s${portable(node.str)}` },
        node.conversion?.charCodeAt(0) ?? -1,
        node.format_spec,
      ];
    case 'BoolOp':
      return [kind, operator(node.op), node.values];
    case 'UnaryOp':
      return [kind, { class: UNARY[node.op] ?? '' }, node.operand];
    case 'BinOp':
      return [kind, node.left, operator(node.op), node.right];
    case 'Compare':
      return [kind, node.left, node.ops.map(operator), node.comparators];
    case 'IfExp':
      return [kind, node.test, node.body, node.orelse];
    case 'Lambda':
      return [kind, node.args, node.body];
    case 'ListComp':
    case 'SetComp':
    case 'GeneratorExp':
      return [kind, node.elt, node.generators];
    case 'DictComp':
      return [kind, node.key, node.value, node.generators];
    case 'Tuple':
    case 'List':
    case 'Set':
      return [kind, node.elts];
    case 'Dict':
      return [kind, node.keys, node.values];
    case 'NamedExpr':
      return [kind, node.target, node.value];
    case 'Starred':
    case 'Await':
    case 'Yield':
    case 'YieldFrom':
    case 'Return':
    case 'Expr':
      return [kind, node.value];
    case 'Slice':
      return [kind, node.lower, node.upper, node.step];
    case 'keyword':
      return [kind, node.arg, node.value];
    case 'comprehension':
      return [kind, node.target, node.iter, node.ifs, node.isAsync];
    case 'arguments':
      return [
        kind,
        node.posonlyargs,
        node.args,
        node.vararg,
        node.kwonlyargs,
        node.kw_defaults,
        node.kwarg,
        node.defaults,
      ];
    case 'arg':
      return [kind, node.arg, node.annotation];
    case 'alias':
      return [kind, node.name, node.asname];
    case 'withitem':
      return [kind, node.context_expr, node.optional_vars];
    case 'ExceptHandler':
      return [kind, node.type, node.name, node.body];
    case 'match_case':
      return [kind, node.pattern, node.guard, node.body];
    case 'MatchValue':
      return [kind, node.value];
    case 'MatchSingleton':
      return [kind, { notation: node.value === null ? 'None' : node.value ? 'True' : 'False' }];
    case 'MatchSequence':
    case 'MatchOr':
      return [kind, node.patterns];
    case 'MatchMapping':
      return [kind, node.keys, node.patterns, node.rest];
    case 'MatchClass':
      return [kind, node.cls, node.patterns, node.kwd_attrs, node.kwd_patterns];
    case 'MatchStar':
      return [kind, node.name];
    case 'MatchAs':
      return [kind, node.pattern, node.name];
    case 'TypeVar':
      return [kind, node.name, node.bound, node.default_value];
    case 'ParamSpec':
    case 'TypeVarTuple':
      return [kind, node.name, node.default_value];
    case 'FunctionDef':
      return [
        node.isAsync ? 'AsyncFunctionDef' : kind,
        node.name,
        node.args,
        node.body,
        node.decorator_list,
        node.returns,
        node.type_params,
      ];
    case 'ClassDef':
      return [kind, node.name, node.bases, node.keywords, node.body, node.decorator_list, node.type_params];
    case 'Delete':
      return [kind, node.targets];
    case 'Assign':
      return [kind, node.targets, node.value];
    case 'TypeAlias':
      return [kind, node.name, node.type_params, node.value];
    case 'AugAssign':
      return [kind, node.target, operator(node.op), node.value];
    case 'AnnAssign':
      return [kind, node.target, node.annotation, node.value, node.simple];
    case 'For':
      return [node.isAsync ? 'AsyncFor' : kind, node.target, node.iter, node.body, node.orelse];
    case 'While':
    case 'If':
      return [kind, node.test, node.body, node.orelse];
    case 'With':
      return [node.isAsync ? 'AsyncWith' : kind, node.items, node.body];
    case 'Match':
      return [kind, node.subject, node.cases];
    case 'Raise':
      return [kind, node.exc, node.cause];
    case 'Try':
      return [node.isStar ? 'TryStar' : kind, node.body, node.handlers, node.orelse, node.finalbody];
    case 'Assert':
      return [kind, node.test, node.msg];
    case 'Import':
      return [kind, node.names];
    case 'ImportFrom':
      return [kind, node.module, node.names, node.level];
    case 'Global':
    case 'Nonlocal':
      return [kind, node.names];
    default:
      return [kind];
  }
}

function valueNotation(node: Extract<Expression, { kind: 'Constant' }>): string {
  switch (node.type) {
    case 'str':
      return `s${portable(node.value)}`;
    case 'bytes':
      return `b${portable(node.value)}`;
    case 'int':
      return `i${node.value}`;
    case 'float':
    case 'complex': {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleBE(Number(node.value));
      return `${node.type === 'float' ? 'f' : 'c'}${bytes.toString('hex')}`;
    }
    case 'bool':
      return node.value ? 'True' : 'False';
    default:
      return node.type;
  }
}

/** Texts are separated by line ends; characters that UTF-8 lacks, and line ends, are written in hexadecimal. */
function portable(text: string): string {
  if (!/[\ud800-\udfff\0]/.test(text)) return text;
  return `\ufdd0${Buffer.from(text, 'utf16le').toString('hex')}`;
}
