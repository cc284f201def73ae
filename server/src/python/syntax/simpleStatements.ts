/** Simple statements. */
import { NOTHING } from './cursor.ts';
import type { Expressions } from './expressions.ts';
import type * as py from './nodes.ts';
import { BINARY_TEXTS } from './operators.ts';
import * as t from './tokens.ts';

/** Reads one statement up to its separator. */
export function readSimpleStatement(p: Expressions): py.Statement {
  const start = p.start;
  switch (p.kind) {
    case t.IMPORT:
      return importStatement(p, start);
    case t.FROM:
      return importFromStatement(p, start);
    case t.RETURN: {
      p.at++;
      const value = p.beginsExpression() ? p.expressions() : undefined;
      return { kind: 'Return', start, end: p.end, parent: undefined, value };
    }
    case t.PASS:
      p.at++;
      return { kind: 'Pass', start, end: p.end, parent: undefined };
    case t.BREAK:
      p.at++;
      return { kind: 'Break', start, end: p.end, parent: undefined };
    case t.CONTINUE:
      p.at++;
      return { kind: 'Continue', start, end: p.end, parent: undefined };
    case t.RAISE:
      return raiseStatement(p, start);
    case t.ASSERT: {
      p.at++;
      const test = p.expression();
      const msg = p.accept(t.COMMA) ? p.expression() : undefined;
      return { kind: 'Assert', start, end: p.end, parent: undefined, test, msg };
    }
    case t.DEL:
      return deleteStatement(p, start);
    case t.GLOBAL:
    case t.NONLOCAL: {
      const kind = p.kind === t.GLOBAL ? 'Global' : 'Nonlocal';
      p.at++;
      const names: string[] = [];
      do names.push(p.name());
      while (p.accept(t.COMMA));
      return { kind, start, end: p.end, parent: undefined, names };
    }
    case t.NAME:
      return softStatement(p, start) ?? expressionStatement(p, start);
    default:
      return expressionStatement(p, start);
  }
}

/** Statements that begin with a soft keyword. */
function softStatement(p: Expressions, start: number): py.Statement | undefined {
  const next = p.peek(1);
  const isOperand = next >= t.NAME && next <= t.FSTRING_START;
  switch (next) {
    case t.NAME:
    case t.NUMBER:
    case t.STRING:
    case t.FSTRING_START:
    case t.BACKTICK:
    case t.FALSE:
    case t.NONE:
    case t.TRUE:
    case t.LAMBDA:
      break;
    case t.NOT:
      if (p.peek(2) === t.IN) return undefined;
      break;
    default:
      return undefined;
  }
  switch (p.nameOf(p.at)) {
    case 'type':
      return next === t.NAME ? typeAlias(p, start) : undefined;
    case 'print':
      return printStatement(p, start);
    case 'exec':
      return isOperand ? execStatement(p, start) : undefined;
    default:
      return undefined;
  }
}

function typeAlias(p: Expressions, start: number): py.TypeAlias {
  p.at++;
  const name = p.nameNode();
  const type_params = readTypeParameters(p);
  p.expect(t.EQUAL, "'='");
  const value = p.expression();
  return { kind: 'TypeAlias', start, end: p.end, parent: undefined, name, type_params, value };
}

function printStatement(p: Expressions, start: number): py.Print {
  p.at++;
  p.isPython2 = true;
  const values: py.Expression[] = [];
  do values.push(p.expression());
  while (p.accept(t.COMMA) && p.beginsExpression());
  return { kind: 'Print', start, end: p.end, parent: undefined, dest: undefined, values };
}

function execStatement(p: Expressions, start: number): py.Exec {
  p.at++;
  p.isPython2 = true;
  const body = p.target();
  const globals = p.accept(t.IN) ? p.expression() : undefined;
  const locals = globals && p.accept(t.COMMA) ? p.expression() : undefined;
  return { kind: 'Exec', start, end: p.end, parent: undefined, body, globals, locals };
}

function expressionStatement(p: Expressions, start: number): py.Statement {
  const isBracketed = p.kind === t.LPAR;
  const first = p.yieldOrExpressions();
  const { kind } = p;
  if (kind === t.EQUAL) return assignment(p, start, first);
  if (kind === t.COLON) {
    if (first.kind === 'Name' || first.kind === 'Attribute' || first.kind === 'Subscript')
      return annotatedAssignment(p, start, first, first.kind === 'Name' && !isBracketed);
  } else if (kind >= t.PLUS + t.AUGMENTED && kind <= t.LAST_AUGMENTED) {
    p.at++;
    const value = p.yieldOrExpressions();
    const op = BINARY_TEXTS[kind - t.AUGMENTED] as py.BinaryOperator;
    return { kind: 'AugAssign', start, end: p.end, parent: undefined, target: first, op, value };
  }
  return { kind: 'Expr', start, end: p.end, parent: undefined, value: first };
}

function assignment(p: Expressions, start: number, first: py.Expression): py.Assign {
  const targets = [first];
  p.at++;
  let value = p.yieldOrExpressions();
  while (p.accept(t.EQUAL)) {
    targets.push(value);
    value = p.yieldOrExpressions();
  }
  return { kind: 'Assign', start, end: p.end, parent: undefined, targets, value };
}

function annotatedAssignment(p: Expressions, start: number, target: py.Expression, simple: boolean): py.AnnAssign {
  p.at++;
  const annotation = p.expression();
  const value = p.accept(t.EQUAL) ? p.yieldOrExpressions() : undefined;
  return { kind: 'AnnAssign', start, end: p.end, parent: undefined, target, annotation, value, simple };
}

function deleteStatement(p: Expressions, start: number): py.Delete {
  p.at++;
  const targets: py.Expression[] = [];
  do targets.push(p.target());
  while (p.accept(t.COMMA) && p.beginsExpression());
  return { kind: 'Delete', start, end: p.end, parent: undefined, targets };
}

function raiseStatement(p: Expressions, start: number): py.Raise {
  p.at++;
  const exc = p.beginsExpression() ? p.expression() : undefined;
  const cause = exc && p.accept(t.FROM) ? p.expression() : undefined;
  let inst: py.Expression | undefined;
  let tback: py.Expression | undefined;
  if (exc && p.accept(t.COMMA)) {
    p.isPython2 = true;
    inst = p.expression();
    if (p.accept(t.COMMA)) tback = p.expression();
  }
  return { kind: 'Raise', start, end: p.end, parent: undefined, exc, cause, inst, tback };
}

// Imports

function importStatement(p: Expressions, start: number): py.Import {
  p.at++;
  const names: py.Alias[] = [];
  do {
    const from = p.start;
    const name = dottedName(p);
    names.push(alias(p, from, name));
  } while (p.accept(t.COMMA));
  return { kind: 'Import', start, end: p.end, parent: undefined, names };
}

function importFromStatement(p: Expressions, start: number): py.ImportFrom {
  p.at++;
  let level = 0;
  for (; p.kind === t.DOT || p.kind === t.ELLIPSIS; p.at++) level += p.kind === t.DOT ? 1 : 3;
  const module = level > 0 && p.kind === t.IMPORT ? undefined : dottedName(p);
  let names: readonly py.Alias[] = NOTHING;
  if (p.expect(t.IMPORT, "'import'")) names = importedNames(p);
  return { kind: 'ImportFrom', start, end: p.end, parent: undefined, module, names, level };
}

function importedNames(p: Expressions): py.Alias[] {
  const star = p.start;
  if (p.accept(t.STAR))
    return [{ kind: 'alias', start: star, end: p.end, parent: undefined, name: '*', asname: undefined }];
  const isBracketed = p.accept(t.LPAR);
  const names: py.Alias[] = [];
  do {
    if (isBracketed && p.kind === t.RPAR) break;
    const from = p.start;
    names.push(alias(p, from, p.name()));
  } while (p.accept(t.COMMA));
  if (isBracketed) p.close(t.RPAR);
  return names;
}

function alias(p: Expressions, start: number, name: string): py.Alias {
  const asname = p.accept(t.AS) ? p.name() : undefined;
  return { kind: 'alias', start, end: Math.max(start, p.end), parent: undefined, name, asname };
}

function dottedName(p: Expressions): string {
  let name = p.name();
  while (p.accept(t.DOT)) name += `.${p.name()}`;
  return name;
}

// Type parameters

export function readTypeParameters(p: Expressions): readonly py.TypeParam[] {
  if (!p.accept(t.LSQB)) return NOTHING;
  const parameters: py.TypeParam[] = [];
  while (p.kind !== t.RSQB) {
    parameters.push(typeParameter(p));
    if (!p.accept(t.COMMA)) break;
  }
  p.close(t.RSQB);
  return parameters;
}

function typeParameter(p: Expressions): py.TypeParam {
  const start = p.start;
  const isTuple = p.accept(t.STAR);
  const isSpecification = !isTuple && p.accept(t.DOUBLESTAR);
  const name = p.name();
  const bound = p.accept(t.COLON) ? p.expression() : undefined;
  const hasDefault = p.accept(t.EQUAL);
  const default_value = hasDefault ? (isTuple ? p.starredExpression() : p.expression()) : undefined;
  const end = Math.max(start, p.end);
  if (isTuple) return { kind: 'TypeVarTuple', start, end, parent: undefined, name, default_value };
  if (isSpecification) return { kind: 'ParamSpec', start, end, parent: undefined, name, default_value };
  return { kind: 'TypeVar', start, end, parent: undefined, name, bound, default_value };
}
