/** The parser's nodes -> syntax nodes. */
import { shift } from './shift.ts';
import type * as py from './syntax.ts';

/** A node as the parser gives it, tokens without a field left out. */
export interface Raw {
  type: string;
  field: string | undefined;
  start: number;
  end: number;
  children: Raw[];
  /** The statement that stood here before an edit elsewhere. */
  reused?: py.Statement;
}

const field = (raw: Raw, name: string): Raw | undefined => raw.children.find((child) => child.field === name);
const fields = (raw: Raw, name: string): Raw[] => raw.children.filter((child) => child.field === name);
const ofType = (raw: Raw, ...types: string[]): Raw[] => raw.children.filter((child) => types.includes(child.type));

/** Builds syntax nodes from the parser's. One instance converts one text. */
export class Converter {
  readonly #text: string;
  readonly #base: number;
  /** Statements that were taken over; what is below them is linked already. */
  readonly reused: py.Statement[] = [];

  constructor(text: string, base: number) {
    this.#text = text;
    this.#base = base;
  }

  #span(raw: { start: number; end: number }): { start: number; end: number } {
    return { start: raw.start + this.#base, end: raw.end + this.#base };
  }

  #textOf(raw: { start: number; end: number }): string {
    return this.#text.slice(raw.start, raw.end);
  }

  block(raw: Raw | undefined): py.Statement[] {
    return raw ? raw.children.flatMap((child) => this.#statement(child)) : [];
  }

  #statement(raw: Raw): py.Statement[] {
    if (raw.reused) {
      shift(raw.reused, this.#base);
      this.reused.push(raw.reused);
      return [raw.reused];
    }
    const span = this.#span(raw);
    const convert = STATEMENTS[raw.type];
    if (convert) return convert(this, raw, span);
    if (raw.type === 'ERROR' || raw.type === 'block') {
      return [{ kind: 'Broken', ...span, children: this.block(raw) }];
    }
    return [{ kind: 'ExpressionStatement', ...span, value: this.expression(raw) }];
  }

  expression(raw: Raw | undefined): py.Expression {
    if (!raw) return { kind: 'OtherExpression', start: this.#base, end: this.#base, children: [] };
    const span = this.#span(raw);
    const convert = EXPRESSIONS[raw.type];
    return convert ? convert(this, raw, span) : this.#other(raw);
  }

  expressions(raws: readonly Raw[]): py.Expression[] {
    return raws.map((raw) => this.expression(raw));
  }

  #other(raw: Raw): py.OtherExpression {
    const children = raw.children.flatMap((child) =>
      STATEMENTS[child.type] || child.type === 'block' || child.reused ? [] : [this.expression(child)],
    );
    return { kind: 'OtherExpression', ...this.#span(raw), children, isAwait: raw.type === 'await' };
  }

  text(raw: Raw | undefined): string {
    return raw ? this.#textOf(raw) : '';
  }

  argument(raw: Raw): py.Argument {
    const span = this.#span(raw);
    switch (raw.type) {
      case 'keyword_argument':
        return {
          kind: 'Argument',
          ...span,
          name: this.text(field(raw, 'name')),
          value: this.expression(field(raw, 'value')),
        };
      case 'list_splat':
      case 'dictionary_splat':
        return {
          kind: 'Argument',
          ...span,
          star: raw.type === 'list_splat' ? '*' : '**',
          value: this.expression(raw.children[0]),
        };
      default:
        return { kind: 'Argument', ...span, value: this.expression(raw) };
    }
  }

  call(raw: Raw, span: { start: number; end: number }): py.Expression {
    const func = field(raw, 'function');
    const list = field(raw, 'arguments');
    const args =
      list?.type === 'generator_expression'
        ? [this.argument(list)]
        : (list?.children ?? []).map((a) => this.argument(a));
    const open = (list?.start ?? raw.end) + this.#base;
    // After `print` and in argument lists `*f(x)` can come out as a call of `*f`.
    if (func?.type === 'list_splat' || func?.type === 'dictionary_splat') {
      const inner = this.expression(func.children[0]);
      const value: py.Call = { kind: 'Call', start: inner.start, end: span.end, func: inner, args, open };
      return { kind: 'Starred', ...span, value };
    }
    return { kind: 'Call', ...span, func: this.expression(func), args, open };
  }

  string(raw: Raw): py.Str {
    const pieces = raw.type === 'concatenated_string' ? ofType(raw, 'string') : [raw];
    let value: string | undefined = '';
    const parts: py.Expression[] = [];
    for (const piece of pieces) {
      const isBytes = /b/i.test(this.text(ofType(piece, 'string_start')[0]).replace(/['"].*/, ''));
      for (const child of piece.children) {
        if (child.type === 'string_content') {
          value = value === undefined || isBytes ? undefined : value + this.#textOf(child);
        } else if (child.type === 'interpolation') {
          value = undefined;
          parts.push(...this.#interpolated(child));
        }
      }
      if (isBytes) value = undefined;
    }
    return { kind: 'Str', ...this.#span(raw), ...(value === undefined ? {} : { value }), parts };
  }

  #interpolated(raw: Raw): py.Expression[] {
    const expression = field(raw, 'expression');
    const nested = ofType(raw, 'format_specifier').flatMap((spec) =>
      ofType(spec, 'format_expression', 'interpolation').flatMap((inner) => this.#interpolated(inner)),
    );
    return expression ? [this.expression(expression), ...nested] : nested;
  }

  comprehension(raw: Raw, span: { start: number; end: number }): py.Comprehension {
    const body = field(raw, 'body');
    const elements =
      body?.type === 'pair'
        ? this.expressions([field(body, 'key'), field(body, 'value')].filter((x) => x !== undefined))
        : [this.expression(body)];
    const generators: py.Generator[] = [];
    for (const child of raw.children) {
      if (child.type === 'for_in_clause') {
        const [iter, ...more] = fields(child, 'right');
        generators.push({
          kind: 'Generator',
          ...this.#span(child),
          target: this.expression(field(child, 'left')),
          iter: more.length === 0 ? this.expression(iter) : this.sequenceOf(fields(child, 'right'), child),
          conditions: [],
        });
      } else if (child.type === 'if_clause') {
        generators.at(-1)?.conditions.push(this.expression(child.children[0]));
      }
    }
    return { kind: 'Comprehension', ...span, elements, generators };
  }

  sequenceOf(raws: Raw[], around: Raw): py.Sequence {
    return { kind: 'Sequence', ...this.#span(around), display: 'tuple', items: this.expressions(raws) };
  }

  params(raw: Raw | undefined): py.Parameter[] {
    return (raw?.children ?? []).flatMap((child): py.Parameter[] => {
      const span = this.#span(child);
      const make = (name: Raw | undefined, type?: Raw, byDefault?: Raw): py.Parameter[] => {
        const star =
          name?.type === 'list_splat_pattern' ? '*' : name?.type === 'dictionary_splat_pattern' ? '**' : undefined;
        const identifier = star ? name?.children[0] : name;
        if (identifier?.type !== 'identifier') return [];
        return [
          {
            kind: 'Parameter',
            ...span,
            name: this.#textOf(identifier),
            ...(star && { star }),
            ...(type && { annotation: this.expression(type) }),
            ...(byDefault && { default: this.expression(byDefault) }),
          },
        ];
      };
      switch (child.type) {
        case 'default_parameter':
        case 'typed_default_parameter':
          return make(field(child, 'name'), field(child, 'type'), field(child, 'value'));
        case 'typed_parameter':
          return make(child.children[0], field(child, 'type'));
        case 'tuple_pattern':
          return child.children.flatMap((inner) => make(inner));
        default:
          return make(child);
      }
    });
  }

  assign(raw: Raw, span: { start: number; end: number }): py.Assign {
    const targets: py.Expression[] = [];
    let annotation: Raw | undefined;
    let value: Raw | undefined = raw;
    while (value?.type === 'assignment') {
      targets.push(this.expression(field(value, 'left')));
      annotation ??= field(value, 'type');
      value = field(value, 'right');
    }
    return {
      kind: 'Assign',
      ...span,
      targets,
      ...(annotation && { annotation: this.expression(annotation) }),
      ...(value && { value: this.expression(value) }),
    };
  }

  conditional(raw: Raw, span: { start: number; end: number }): py.If {
    const alternatives = fields(raw, 'alternative');
    const build = (
      test: Raw | undefined,
      body: Raw | undefined,
      at: { start: number; end: number },
      next: number,
    ): py.If => {
      const alternative = alternatives[next];
      let orelse: py.Statement[] = [];
      if (alternative?.type === 'elif_clause') {
        const inner = { start: alternative.start + this.#base, end: span.end };
        orelse = [build(field(alternative, 'condition'), field(alternative, 'consequence'), inner, next + 1)];
      } else if (alternative) orelse = this.block(field(alternative, 'body'));
      return { kind: 'If', ...at, test: this.expression(test), body: this.block(body), orelse };
    };
    return build(field(raw, 'condition'), field(raw, 'consequence'), span, 0);
  }

  orelse(raw: Raw): py.Statement[] {
    const clause = field(raw, 'alternative') ?? ofType(raw, 'else_clause')[0];
    return this.block(clause && field(clause, 'body'));
  }

  handler(raw: Raw): py.ExceptHandler {
    const value = field(raw, 'value');
    const isNamed = value?.type === 'as_pattern';
    const type = isNamed ? value.children[0] : value;
    const target = isNamed ? field(value, 'alias') : field(raw, 'alias');
    return {
      kind: 'ExceptHandler',
      ...this.#span(raw),
      ...(type && { type: this.expression(type) }),
      ...(target && { name: this.#textOf(target) }),
      body: this.block(ofType(raw, 'block')[0]),
    };
  }

  withItems(raw: Raw): py.WithItem[] {
    return ofType(raw, 'with_clause')
      .flatMap((clause) => ofType(clause, 'with_item'))
      .map((item) => {
        const value = field(item, 'value');
        const target = value?.type === 'as_pattern' ? field(value, 'alias')?.children[0] : undefined;
        return {
          kind: 'WithItem',
          ...this.#span(item),
          context: this.expression(value?.type === 'as_pattern' ? value.children[0] : value),
          ...(target && { target: this.expression(target) }),
        };
      });
  }

  matchCase(raw: Raw): py.MatchCase {
    const guard = field(raw, 'guard');
    const alternatives = ofType(raw, 'case_pattern').flatMap((pattern) => {
      const inner = pattern.children[0];
      return inner?.type === 'union_pattern' ? inner.children : inner ? [inner] : [];
    });
    const isCapture = (pattern: Raw) => pattern.type === 'dotted_name' && pattern.children.length === 1;
    return {
      kind: 'MatchCase',
      ...this.#span(raw),
      alternatives: this.expressions(alternatives),
      isCatchAll: alternatives.length === 0 || alternatives.some(isCapture),
      ...(guard && { guard: this.expression(guard.children[0]) }),
      body: this.block(field(raw, 'consequence')),
    };
  }

  definition(raw: Raw, decorators: py.Expression[], span: { start: number; end: number }): py.Statement {
    const name = this.text(field(raw, 'name'));
    const body = this.block(field(raw, 'body'));
    if (raw.type === 'class_definition') {
      const args = (field(raw, 'superclasses')?.children ?? []).map((arg) => this.argument(arg));
      return { kind: 'ClassDef', ...span, name, decorators, args, body };
    }
    const returns = field(raw, 'return_type');
    return {
      kind: 'FunctionDef',
      ...span,
      name,
      decorators,
      params: this.params(field(raw, 'parameters')),
      ...(returns && { returns: this.expression(returns) }),
      body,
    };
  }

  imports(raw: Raw, span: { start: number; end: number }): py.Import {
    const module = field(raw, 'module_name');
    const names = fields(raw, 'name').map((name): py.ImportedName => {
      const alias = name.type === 'aliased_import' ? field(name, 'alias') : undefined;
      const dotted = name.type === 'aliased_import' ? field(name, 'name') : name;
      return {
        kind: 'ImportedName',
        ...this.#span(name),
        name: this.text(dotted).replace(/\s/g, ''),
        ...(alias && { asName: this.#textOf(alias) }),
      };
    });
    return {
      kind: 'Import',
      ...span,
      ...(module && { module: this.#textOf(module).replace(/\s/g, '') }),
      ...(raw.type === 'future_import_statement' && { module: '__future__' }),
      names,
      isStar: ofType(raw, 'wildcard_import').length > 0,
    };
  }
}

type Where = { start: number; end: number };

export const STATEMENTS: Readonly<Record<string, (c: Converter, raw: Raw, span: Where) => py.Statement[]>> = {
  expression_statement(c, raw, span) {
    const [only, ...more] = raw.children;
    if (only?.type === 'assignment') return [c.assign(only, span)];
    if (only?.type === 'augmented_assignment') {
      const target = c.expression(field(only, 'left'));
      const operator = c.text(field(only, 'operator')).slice(0, -1);
      return [{ kind: 'Assign', ...span, targets: [target], value: c.expression(field(only, 'right')), operator }];
    }
    const value = more.length > 0 ? c.sequenceOf(raw.children, raw) : c.expression(only ?? raw);
    return [{ kind: 'ExpressionStatement', ...span, value }];
  },
  print_statement: (c, raw, span) => [
    {
      kind: 'ExpressionStatement',
      ...span,
      value: { kind: 'OtherExpression', ...span, children: c.expressions(raw.children) },
    },
  ],
  exec_statement: (c, raw, span) => [
    {
      kind: 'ExpressionStatement',
      ...span,
      value: { kind: 'OtherExpression', ...span, children: c.expressions(raw.children) },
    },
  ],
  return_statement: (c, raw, span) => [
    { kind: 'Return', ...span, ...(raw.children[0] && { value: c.expression(raw.children[0]) }) },
  ],
  raise_statement(c, raw, span) {
    const cause = field(raw, 'cause');
    const value = raw.children.find((child) => child !== cause);
    return [
      {
        kind: 'Raise',
        ...span,
        ...(value && { value: c.expression(value) }),
        ...(cause && { cause: c.expression(cause) }),
      },
    ];
  },
  assert_statement(c, raw, span) {
    const [test, message] = raw.children;
    return [{ kind: 'Assert', ...span, test: c.expression(test), ...(message && { message: c.expression(message) }) }];
  },
  delete_statement: (c, raw, span) => [{ kind: 'Delete', ...span, targets: c.expressions(raw.children) }],
  pass_statement: (_c, _raw, span) => [{ kind: 'Pass', ...span }],
  break_statement: (_c, _raw, span) => [{ kind: 'Jump', ...span, to: 'break' }],
  continue_statement: (_c, _raw, span) => [{ kind: 'Jump', ...span, to: 'continue' }],
  global_statement: (c, raw, span) => [
    { kind: 'ScopeDeclaration', ...span, of: 'global', names: raw.children.map((child) => c.text(child)) },
  ],
  nonlocal_statement: (c, raw, span) => [
    { kind: 'ScopeDeclaration', ...span, of: 'nonlocal', names: raw.children.map((child) => c.text(child)) },
  ],
  type_alias_statement: (_c, _raw, span) => [{ kind: 'Pass', ...span }],
  import_statement: (c, raw, span) => [c.imports(raw, span)],
  import_from_statement: (c, raw, span) => [c.imports(raw, span)],
  future_import_statement: (c, raw, span) => [c.imports(raw, span)],
  if_statement: (c, raw, span) => [c.conditional(raw, span)],
  while_statement: (c, raw, span) => [
    {
      kind: 'While',
      ...span,
      test: c.expression(field(raw, 'condition')),
      body: c.block(field(raw, 'body')),
      orelse: c.orelse(raw),
    },
  ],
  for_statement(c, raw, span) {
    return [
      {
        kind: 'For',
        ...span,
        target: c.expression(field(raw, 'left')),
        iter: c.expression(field(raw, 'right')),
        body: c.block(field(raw, 'body')),
        orelse: c.orelse(raw),
      },
    ];
  },
  try_statement(c, raw, span) {
    const finalClause = ofType(raw, 'finally_clause')[0];
    return [
      {
        kind: 'Try',
        ...span,
        body: c.block(field(raw, 'body')),
        handlers: ofType(raw, 'except_clause', 'except_group_clause').map((clause) => c.handler(clause)),
        orelse: c.orelse(raw),
        finalbody: c.block(finalClause && ofType(finalClause, 'block')[0]),
      },
    ];
  },
  with_statement: (c, raw, span) => [
    { kind: 'With', ...span, items: c.withItems(raw), body: c.block(field(raw, 'body')) },
  ],
  match_statement(c, raw, span) {
    const subjects = fields(raw, 'subject');
    const subject = subjects.length > 1 ? c.sequenceOf(subjects, raw) : c.expression(subjects[0]);
    const clauses = ofType(field(raw, 'body') ?? raw, 'case_clause');
    return [{ kind: 'Match', ...span, subject, cases: clauses.map((clause) => c.matchCase(clause)) }];
  },
  function_definition: (c, raw, span) => [c.definition(raw, [], span)],
  class_definition: (c, raw, span) => [c.definition(raw, [], span)],
  decorated_definition(c, raw, span) {
    const definition = field(raw, 'definition');
    const decorators = ofType(raw, 'decorator').map((decorator) => c.expression(decorator.children[0]));
    return definition ? [c.definition(definition, decorators, span)] : [];
  },
};

const EXPRESSIONS: Readonly<Record<string, (c: Converter, raw: Raw, span: Where) => py.Expression>> = {
  identifier: (c, raw, span) => ({ kind: 'Name', ...span, id: c.text(raw) }),
  dotted_name(c, raw, span) {
    const [first, ...rest] = raw.children;
    let result = c.expression(first);
    for (const part of rest) {
      const end = span.start + (part.end - raw.start);
      const attrStart = span.start + (part.start - raw.start);
      result = { kind: 'Attribute', start: span.start, end, value: result, attr: c.text(part), attrStart };
    }
    return result;
  },
  attribute(c, raw, span) {
    const name = field(raw, 'attribute');
    const attrStart = span.start + ((name?.start ?? raw.end) - raw.start);
    return { kind: 'Attribute', ...span, value: c.expression(field(raw, 'object')), attr: c.text(name), attrStart };
  },
  subscript(c, raw, span) {
    const indices = fields(raw, 'subscript');
    const index = indices.length > 1 ? c.sequenceOf(indices, raw) : c.expression(indices[0] ?? raw.children[1]);
    return { kind: 'Subscript', ...span, value: c.expression(field(raw, 'value')), index };
  },
  call: (c, raw, span) => c.call(raw, span),
  parenthesized_expression: (c, raw) => c.expression(raw.children[0] ?? { ...raw, type: 'tuple' }),
  string: (c, raw) => c.string(raw),
  concatenated_string: (c, raw) => c.string(raw),
  integer: (c, raw, span) => ({ kind: 'Num', ...span, value: Number(c.text(raw).replaceAll('_', '')) }),
  float: (c, raw, span) => ({ kind: 'Num', ...span, value: Number(c.text(raw).replaceAll('_', '')) }),
  true: (_c, _raw, span) => ({ kind: 'Constant', ...span, value: true }),
  false: (_c, _raw, span) => ({ kind: 'Constant', ...span, value: false }),
  none: (_c, _raw, span) => ({ kind: 'Constant', ...span, value: null }),
  boolean_operator: (c, raw, span) => ({
    kind: 'BoolOp',
    ...span,
    op: c.text(field(raw, 'operator')) === 'or' ? 'or' : 'and',
    left: c.expression(field(raw, 'left')),
    right: c.expression(field(raw, 'right')),
  }),
  not_operator: (c, raw, span) => ({
    kind: 'UnaryOp',
    ...span,
    op: 'not',
    operand: c.expression(field(raw, 'argument')),
  }),
  unary_operator: (c, raw, span) => ({
    kind: 'UnaryOp',
    ...span,
    op: c.text(field(raw, 'operator')),
    operand: c.expression(field(raw, 'argument')),
  }),
  binary_operator: (c, raw, span) => ({
    kind: 'BinOp',
    ...span,
    op: c.text(field(raw, 'operator')),
    left: c.expression(field(raw, 'left')),
    right: c.expression(field(raw, 'right')),
  }),
  comparison_operator: (c, raw, span) => ({
    kind: 'Compare',
    ...span,
    operands: c.expressions(raw.children.filter((child) => child.field !== 'operators')),
    ops: fields(raw, 'operators').map((op) => c.text(op).replace(/\s+/g, ' ')),
  }),
  conditional_expression(c, raw, span) {
    const [body, test, orelse] = raw.children;
    return { kind: 'IfExp', ...span, body: c.expression(body), test: c.expression(test), orelse: c.expression(orelse) };
  },
  lambda: (c, raw, span) => ({
    kind: 'Lambda',
    ...span,
    params: c.params(field(raw, 'parameters')),
    body: c.expression(field(raw, 'body')),
  }),
  list_comprehension: (c, raw, span) => c.comprehension(raw, span),
  set_comprehension: (c, raw, span) => c.comprehension(raw, span),
  dictionary_comprehension: (c, raw, span) => c.comprehension(raw, span),
  generator_expression: (c, raw, span) => c.comprehension(raw, span),
  tuple: (c, raw, span) => ({ kind: 'Sequence', ...span, display: 'tuple', items: c.expressions(raw.children) }),
  tuple_pattern: (c, raw, span) => ({
    kind: 'Sequence',
    ...span,
    display: 'tuple',
    items: c.expressions(raw.children),
  }),
  pattern_list: (c, raw, span) => ({ kind: 'Sequence', ...span, display: 'tuple', items: c.expressions(raw.children) }),
  expression_list: (c, raw, span) => ({
    kind: 'Sequence',
    ...span,
    display: 'tuple',
    items: c.expressions(raw.children),
  }),
  list: (c, raw, span) => ({ kind: 'Sequence', ...span, display: 'list', items: c.expressions(raw.children) }),
  list_pattern: (c, raw, span) => ({ kind: 'Sequence', ...span, display: 'list', items: c.expressions(raw.children) }),
  set: (c, raw, span) => ({ kind: 'Sequence', ...span, display: 'set', items: c.expressions(raw.children) }),
  dictionary: (c, raw, span) => ({
    kind: 'Dict',
    ...span,
    entries: raw.children.map((child): py.DictEntry => {
      const at = { start: span.start + (child.start - raw.start), end: span.start + (child.end - raw.start) };
      if (child.type !== 'pair') return { kind: 'DictEntry', ...at, value: c.expression(child.children[0] ?? child) };
      return {
        kind: 'DictEntry',
        ...at,
        key: c.expression(field(child, 'key')),
        value: c.expression(field(child, 'value')),
      };
    }),
  }),
  named_expression(c, raw, span) {
    const name = field(raw, 'name');
    const start = span.start + ((name?.start ?? raw.start) - raw.start);
    const target: py.Name = { kind: 'Name', start, end: start + c.text(name).length, id: c.text(name) };
    return { kind: 'NamedExpr', ...span, target, value: c.expression(field(raw, 'value')) };
  },
  list_splat: (c, raw, span) => ({ kind: 'Starred', ...span, value: c.expression(raw.children[0]) }),
  list_splat_pattern: (c, raw, span) => ({ kind: 'Starred', ...span, value: c.expression(raw.children[0]) }),
  dictionary_splat: (c, raw, span) => ({ kind: 'Starred', ...span, value: c.expression(raw.children[0]) }),
  type: (c, raw) => c.expression(raw.children[0]),
  as_pattern: (c, raw) => c.expression(raw.children[0]),
};
