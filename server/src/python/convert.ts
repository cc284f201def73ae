/** The parser's nodes -> syntax nodes. */
import { EXPRESSIONS } from './convertExpressions.ts';
import { STATEMENTS } from './convertStatements.ts';
import { field, fields, ofType, type Raw } from './raw.ts';
import type * as py from './syntax.ts';

/** Branches of an `if` beyond these, which only programs write, are read as if they ran one after the other. */
const LONGEST_CHAIN = 200;

/** Builds syntax nodes from the parser's. One instance converts one text. */
export class Converter {
  readonly #text: string;
  readonly #base: number;

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
    const span = this.#span(raw);
    const convert = STATEMENTS[raw.type];
    if (convert) return convert(this, raw, span);
    if (raw.type === 'ERROR' || raw.type === 'block') {
      return [{ kind: 'Broken', span, children: this.block(raw) }];
    }
    return [{ kind: 'ExpressionStatement', span, value: this.expression(raw) }];
  }

  expression(raw: Raw | undefined): py.Expression {
    if (!raw) return { kind: 'OtherExpression', span: { start: this.#base, end: this.#base }, children: [] };
    const span = this.#span(raw);
    const convert = EXPRESSIONS[raw.type];
    return convert ? convert(this, raw, span) : this.#other(raw);
  }

  expressions(raws: readonly Raw[]): py.Expression[] {
    return raws.map((raw) => this.expression(raw));
  }

  #other(raw: Raw): py.OtherExpression {
    const children = raw.children.flatMap((child) =>
      STATEMENTS[child.type] || child.type === 'block' ? [] : [this.expression(child)],
    );
    return { kind: 'OtherExpression', span: this.#span(raw), children, isAwait: raw.type === 'await' };
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
          span,
          name: this.text(field(raw, 'name')),
          value: this.expression(field(raw, 'value')),
        };
      case 'list_splat':
      case 'dictionary_splat':
        return {
          kind: 'Argument',
          span,
          star: raw.type === 'list_splat' ? '*' : '**',
          value: this.expression(raw.children[0]),
        };
      default:
        return { kind: 'Argument', span, value: this.expression(raw) };
    }
  }

  call(raw: Raw, span: { start: number; end: number }): py.Expression {
    const func = field(raw, 'function');
    const list = field(raw, 'arguments');
    const args =
      list?.type === 'generator_expression'
        ? [this.argument(list)]
        : (list?.children ?? []).map((a) => this.argument(a));
    const bracket = list?.start ?? raw.end;
    // After `print` and in argument lists `*f(x)` can come out as a call of `*f`.
    if (func?.type === 'list_splat' || func?.type === 'dictionary_splat') {
      const inner = this.expression(func.children[0]);
      const open = bracket + this.#base - inner.span.start;
      const own = { start: inner.span.start, end: span.end };
      const value: py.Call = { kind: 'Call', span: own, func: inner, args, open };
      return { kind: 'Starred', span, value };
    }
    return { kind: 'Call', span, func: this.expression(func), args, open: bracket - raw.start };
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
    return { kind: 'Str', span: this.#span(raw), ...(value === undefined ? {} : { value }), parts };
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
          span: this.#span(child),
          target: this.expression(field(child, 'left')),
          iter: more.length === 0 ? this.expression(iter) : this.sequenceOf(fields(child, 'right'), child),
          conditions: [],
        });
      } else if (child.type === 'if_clause') {
        generators.at(-1)?.conditions.push(this.expression(child.children[0]));
      }
    }
    return { kind: 'Comprehension', span, elements, generators };
  }

  sequenceOf(raws: Raw[], around: Raw): py.Sequence {
    return { kind: 'Sequence', span: this.#span(around), display: 'tuple', items: this.expressions(raws) };
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
            span,
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
      span,
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
      if (alternative?.type === 'elif_clause' && next < LONGEST_CHAIN) {
        const inner = { start: alternative.start + this.#base, end: span.end };
        orelse = [build(field(alternative, 'condition'), field(alternative, 'consequence'), inner, next + 1)];
      } else if (alternative?.type === 'elif_clause') {
        orelse = alternatives
          .slice(next)
          .flatMap((clause) => this.block(field(clause, 'consequence') ?? field(clause, 'body')));
      } else if (alternative) orelse = this.block(field(alternative, 'body'));
      return { kind: 'If', span: at, test: this.expression(test), body: this.block(body), orelse };
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
      span: this.#span(raw),
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
          span: this.#span(item),
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
      span: this.#span(raw),
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
      return { kind: 'ClassDef', span, name, decorators, args, body };
    }
    const returns = field(raw, 'return_type');
    return {
      kind: 'FunctionDef',
      span,
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
        span: this.#span(name),
        name: this.text(dotted).replace(/\s/g, ''),
        ...(alias && { asName: this.#textOf(alias) }),
      };
    });
    return {
      kind: 'Import',
      span,
      ...(module && { module: this.#textOf(module).replace(/\s/g, '') }),
      ...(raw.type === 'future_import_statement' && { module: '__future__' }),
      names,
      isStar: ofType(raw, 'wildcard_import').length > 0,
    };
  }
}
