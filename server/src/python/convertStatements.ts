import type { Converter } from './convert.ts';
import { field, fields, ofType, type Raw, type Where } from './raw.ts';
import type * as py from './syntax.ts';

/** How each statement of the grammar becomes ours, by its name in the grammar. */
export const STATEMENTS: Readonly<Record<string, (c: Converter, raw: Raw, span: Where) => py.Statement[]>> = {
  expression_statement(c, raw, span) {
    const [only, ...more] = raw.children;
    if (only?.type === 'assignment') return [c.assign(only, span)];
    if (only?.type === 'augmented_assignment') {
      const target = c.expression(field(only, 'left'));
      const operator = c.text(field(only, 'operator')).slice(0, -1);
      return [{ kind: 'Assign', span, targets: [target], value: c.expression(field(only, 'right')), operator }];
    }
    const value = more.length > 0 ? c.sequenceOf(raw.children, raw) : c.expression(only ?? raw);
    return [{ kind: 'ExpressionStatement', span, value }];
  },
  print_statement: (c, raw, span) => [
    {
      kind: 'ExpressionStatement',
      span,
      value: { kind: 'OtherExpression', span: { ...span }, children: c.expressions(raw.children) },
    },
  ],
  exec_statement: (c, raw, span) => [
    {
      kind: 'ExpressionStatement',
      span,
      value: { kind: 'OtherExpression', span: { ...span }, children: c.expressions(raw.children) },
    },
  ],
  return_statement: (c, raw, span) => [
    { kind: 'Return', span, ...(raw.children[0] && { value: c.expression(raw.children[0]) }) },
  ],
  raise_statement(c, raw, span) {
    const cause = field(raw, 'cause');
    const value = raw.children.find((child) => child !== cause);
    return [
      {
        kind: 'Raise',
        span,
        ...(value && { value: c.expression(value) }),
        ...(cause && { cause: c.expression(cause) }),
      },
    ];
  },
  assert_statement(c, raw, span) {
    const [test, message] = raw.children;
    return [{ kind: 'Assert', span, test: c.expression(test), ...(message && { message: c.expression(message) }) }];
  },
  delete_statement: (c, raw, span) => [{ kind: 'Delete', span, targets: c.expressions(raw.children) }],
  pass_statement: (_c, _raw, span) => [{ kind: 'Pass', span }],
  break_statement: (_c, _raw, span) => [{ kind: 'Jump', span, to: 'break' }],
  continue_statement: (_c, _raw, span) => [{ kind: 'Jump', span, to: 'continue' }],
  global_statement: (c, raw, span) => [
    { kind: 'ScopeDeclaration', span, of: 'global', names: raw.children.map((child) => c.text(child)) },
  ],
  nonlocal_statement: (c, raw, span) => [
    { kind: 'ScopeDeclaration', span, of: 'nonlocal', names: raw.children.map((child) => c.text(child)) },
  ],
  type_alias_statement: (_c, _raw, span) => [{ kind: 'Pass', span }],
  import_statement: (c, raw, span) => [c.imports(raw, span)],
  import_from_statement: (c, raw, span) => [c.imports(raw, span)],
  future_import_statement: (c, raw, span) => [c.imports(raw, span)],
  if_statement: (c, raw, span) => [c.conditional(raw, span)],
  while_statement: (c, raw, span) => [
    {
      kind: 'While',
      span,
      test: c.expression(field(raw, 'condition')),
      body: c.block(field(raw, 'body')),
      orelse: c.orelse(raw),
    },
  ],
  for_statement(c, raw, span) {
    return [
      {
        kind: 'For',
        span,
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
        span,
        body: c.block(field(raw, 'body')),
        handlers: ofType(raw, 'except_clause', 'except_group_clause').map((clause) => c.handler(clause)),
        orelse: c.orelse(raw),
        finalbody: c.block(finalClause && ofType(finalClause, 'block')[0]),
      },
    ];
  },
  with_statement: (c, raw, span) => [
    { kind: 'With', span, items: c.withItems(raw), body: c.block(field(raw, 'body')) },
  ],
  match_statement(c, raw, span) {
    const subjects = fields(raw, 'subject');
    const subject = subjects.length > 1 ? c.sequenceOf(subjects, raw) : c.expression(subjects[0]);
    const clauses = ofType(field(raw, 'body') ?? raw, 'case_clause');
    return [{ kind: 'Match', span, subject, cases: clauses.map((clause) => c.matchCase(clause)) }];
  },
  function_definition: (c, raw, span) => [c.definition(raw, [], span)],
  class_definition: (c, raw, span) => [c.definition(raw, [], span)],
  decorated_definition(c, raw, span) {
    const definition = field(raw, 'definition');
    const decorators = ofType(raw, 'decorator').map((decorator) => c.expression(decorator.children[0]));
    return definition ? [c.definition(definition, decorators, span)] : [];
  },
};
