import type { Converter } from './convert.ts';
import { field, fields, type Raw, type Where } from './raw.ts';
import type * as py from './syntax.ts';

/** How each expression of the grammar becomes ours, by its name in the grammar. */
export const EXPRESSIONS: Readonly<Record<string, (c: Converter, raw: Raw, span: Where) => py.Expression>> = {
  identifier: (c, raw, span) => ({ kind: 'Name', span, id: c.text(raw) }),
  dotted_name(c, raw, span) {
    const [first, ...rest] = raw.children;
    let result = c.expression(first);
    for (const part of rest) {
      const end = span.start + (part.end - raw.start);
      result = { kind: 'Attribute', span: { start: span.start, end }, value: result, attr: c.text(part) };
    }
    return result;
  },
  attribute(c, raw, span) {
    const name = field(raw, 'attribute');
    return { kind: 'Attribute', span, value: c.expression(field(raw, 'object')), attr: c.text(name) };
  },
  subscript(c, raw, span) {
    const indices = fields(raw, 'subscript');
    const index = indices.length > 1 ? c.sequenceOf(indices, raw) : c.expression(indices[0] ?? raw.children[1]);
    return { kind: 'Subscript', span, value: c.expression(field(raw, 'value')), index };
  },
  call: (c, raw, span) => c.call(raw, span),
  parenthesized_expression: (c, raw) => c.expression(raw.children[0] ?? { ...raw, type: 'tuple' }),
  string: (c, raw) => c.string(raw),
  concatenated_string: (c, raw) => c.string(raw),
  integer: (c, raw, span) => ({ kind: 'Num', span, value: Number(c.text(raw).replaceAll('_', '')) }),
  float: (c, raw, span) => ({ kind: 'Num', span, value: Number(c.text(raw).replaceAll('_', '')) }),
  true: (_c, _raw, span) => ({ kind: 'Constant', span, value: true }),
  false: (_c, _raw, span) => ({ kind: 'Constant', span, value: false }),
  none: (_c, _raw, span) => ({ kind: 'Constant', span, value: null }),
  boolean_operator: (c, raw, span) => ({
    kind: 'BoolOp',
    span,
    op: c.text(field(raw, 'operator')) === 'or' ? 'or' : 'and',
    left: c.expression(field(raw, 'left')),
    right: c.expression(field(raw, 'right')),
  }),
  not_operator: (c, raw, span) => ({
    kind: 'UnaryOp',
    span,
    op: 'not',
    operand: c.expression(field(raw, 'argument')),
  }),
  unary_operator: (c, raw, span) => ({
    kind: 'UnaryOp',
    span,
    op: c.text(field(raw, 'operator')),
    operand: c.expression(field(raw, 'argument')),
  }),
  binary_operator: (c, raw, span) => ({
    kind: 'BinOp',
    span,
    op: c.text(field(raw, 'operator')),
    left: c.expression(field(raw, 'left')),
    right: c.expression(field(raw, 'right')),
  }),
  comparison_operator: (c, raw, span) => ({
    kind: 'Compare',
    span,
    operands: c.expressions(raw.children.filter((child) => child.field !== 'operators')),
    ops: fields(raw, 'operators').map((op) => c.text(op).replace(/\s+/g, ' ')),
  }),
  conditional_expression(c, raw, span) {
    const [body, test, orelse] = raw.children;
    return { kind: 'IfExp', span, body: c.expression(body), test: c.expression(test), orelse: c.expression(orelse) };
  },
  lambda: (c, raw, span) => ({
    kind: 'Lambda',
    span,
    params: c.params(field(raw, 'parameters')),
    body: c.expression(field(raw, 'body')),
  }),
  list_comprehension: (c, raw, span) => c.comprehension(raw, span),
  set_comprehension: (c, raw, span) => c.comprehension(raw, span),
  dictionary_comprehension: (c, raw, span) => c.comprehension(raw, span),
  generator_expression: (c, raw, span) => c.comprehension(raw, span),
  tuple: (c, raw, span) => ({ kind: 'Sequence', span, display: 'tuple', items: c.expressions(raw.children) }),
  tuple_pattern: (c, raw, span) => ({
    kind: 'Sequence',
    span,
    display: 'tuple',
    items: c.expressions(raw.children),
  }),
  pattern_list: (c, raw, span) => ({ kind: 'Sequence', span, display: 'tuple', items: c.expressions(raw.children) }),
  expression_list: (c, raw, span) => ({
    kind: 'Sequence',
    span,
    display: 'tuple',
    items: c.expressions(raw.children),
  }),
  list: (c, raw, span) => ({ kind: 'Sequence', span, display: 'list', items: c.expressions(raw.children) }),
  list_pattern: (c, raw, span) => ({ kind: 'Sequence', span, display: 'list', items: c.expressions(raw.children) }),
  set: (c, raw, span) => ({ kind: 'Sequence', span, display: 'set', items: c.expressions(raw.children) }),
  dictionary: (c, raw, span) => ({
    kind: 'Dict',
    span,
    entries: raw.children.map((child): py.DictEntry => {
      const at = { start: span.start + (child.start - raw.start), end: span.start + (child.end - raw.start) };
      if (child.type !== 'pair')
        return { kind: 'DictEntry', span: at, value: c.expression(child.children[0] ?? child) };
      return {
        kind: 'DictEntry',
        span: at,
        key: c.expression(field(child, 'key')),
        value: c.expression(field(child, 'value')),
      };
    }),
  }),
  named_expression(c, raw, span) {
    const name = field(raw, 'name');
    const start = span.start + ((name?.start ?? raw.start) - raw.start);
    const id = c.text(name);
    const target: py.Name = { kind: 'Name', span: { start, end: start + id.length }, id };
    return { kind: 'NamedExpr', span, target, value: c.expression(field(raw, 'value')) };
  },
  list_splat: (c, raw, span) => ({ kind: 'Starred', span, value: c.expression(raw.children[0]) }),
  list_splat_pattern: (c, raw, span) => ({ kind: 'Starred', span, value: c.expression(raw.children[0]) }),
  dictionary_splat: (c, raw, span) => ({ kind: 'Starred', span, value: c.expression(raw.children[0]) }),
  type: (c, raw) => c.expression(raw.children[0]),
  as_pattern: (c, raw) => c.expression(raw.children[0]),
};
