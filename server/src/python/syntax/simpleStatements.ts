/** Simple statements. */
import { NOTHING } from './cursor.ts';
import type * as py from './nodes.ts';
import { BINARY_TEXTS } from './operators.ts';
import { Patterns } from './patterns.ts';
import * as t from './tokens.ts';

export abstract class SimpleStatements extends Patterns {
  /** Reads one statement up to its separator. */
  simpleStatement(): py.Statement {
    const start = this.start;
    switch (this.kind) {
      case t.IMPORT:
        return this.#import(start);
      case t.FROM:
        return this.#importFrom(start);
      case t.RETURN: {
        this.at++;
        const value = this.beginsExpression() ? this.expressions() : undefined;
        return { kind: 'Return', start, end: this.end, parent: undefined, value };
      }
      case t.PASS:
        this.at++;
        return { kind: 'Pass', start, end: this.end, parent: undefined };
      case t.BREAK:
        this.at++;
        return { kind: 'Break', start, end: this.end, parent: undefined };
      case t.CONTINUE:
        this.at++;
        return { kind: 'Continue', start, end: this.end, parent: undefined };
      case t.RAISE:
        return this.#raise(start);
      case t.ASSERT: {
        this.at++;
        const test = this.expression();
        const msg = this.accept(t.COMMA) ? this.expression() : undefined;
        return { kind: 'Assert', start, end: this.end, parent: undefined, test, msg };
      }
      case t.DEL:
        return this.#delete(start);
      case t.GLOBAL:
      case t.NONLOCAL: {
        const kind = this.kind === t.GLOBAL ? 'Global' : 'Nonlocal';
        this.at++;
        const names: string[] = [];
        do names.push(this.name());
        while (this.accept(t.COMMA));
        return { kind, start, end: this.end, parent: undefined, names };
      }
      case t.NAME:
        return this.#soft(start) ?? this.#expressionStatement(start);
      default:
        return this.#expressionStatement(start);
    }
  }

  /** Statements that begin with a soft keyword. */
  #soft(start: number): py.Statement | undefined {
    const next = this.peek(1);
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
        if (this.peek(2) === t.IN) return undefined;
        break;
      default:
        return undefined;
    }
    switch (this.nameOf(this.at)) {
      case 'type':
        return next === t.NAME ? this.#typeAlias(start) : undefined;
      case 'print':
        return this.#print(start);
      case 'exec':
        return isOperand ? this.#exec(start) : undefined;
      default:
        return undefined;
    }
  }

  #typeAlias(start: number): py.TypeAlias {
    this.at++;
    const name = this.nameNode();
    const type_params = this.typeParameters();
    this.expect(t.EQUAL, "'='");
    const value = this.expression();
    return { kind: 'TypeAlias', start, end: this.end, parent: undefined, inner: undefined, name, type_params, value };
  }

  #print(start: number): py.Print {
    this.at++;
    this.isPython2 = true;
    const values: py.Expression[] = [];
    do values.push(this.expression());
    while (this.accept(t.COMMA) && this.beginsExpression());
    return { kind: 'Print', start, end: this.end, parent: undefined, dest: undefined, values };
  }

  #exec(start: number): py.Exec {
    this.at++;
    this.isPython2 = true;
    const body = this.target();
    const globals = this.accept(t.IN) ? this.expression() : undefined;
    const locals = globals && this.accept(t.COMMA) ? this.expression() : undefined;
    return { kind: 'Exec', start, end: this.end, parent: undefined, body, globals, locals };
  }

  #expressionStatement(start: number): py.Statement {
    const isBracketed = this.kind === t.LPAR;
    const first = this.yieldOrExpressions();
    const { kind } = this;
    if (kind === t.EQUAL) return this.#assign(start, first);
    if (kind === t.COLON) {
      if (first.kind === 'Name' || first.kind === 'Attribute' || first.kind === 'Subscript')
        return this.#annotated(start, first, first.kind === 'Name' && !isBracketed);
    } else if (kind >= t.PLUS + t.AUGMENTED && kind <= t.LAST_AUGMENTED) {
      this.at++;
      const value = this.yieldOrExpressions();
      const op = BINARY_TEXTS[kind - t.AUGMENTED] as py.BinaryOperator;
      return { kind: 'AugAssign', start, end: this.end, parent: undefined, target: first, op, value };
    }
    return { kind: 'Expr', start, end: this.end, parent: undefined, value: first };
  }

  #assign(start: number, first: py.Expression): py.Assign {
    const targets = [first];
    this.at++;
    let value = this.yieldOrExpressions();
    while (this.accept(t.EQUAL)) {
      targets.push(value);
      value = this.yieldOrExpressions();
    }
    return { kind: 'Assign', start, end: this.end, parent: undefined, targets, value };
  }

  #annotated(start: number, target: py.Expression, simple: boolean): py.AnnAssign {
    this.at++;
    const annotation = this.expression();
    const value = this.accept(t.EQUAL) ? this.yieldOrExpressions() : undefined;
    return { kind: 'AnnAssign', start, end: this.end, parent: undefined, target, annotation, value, simple };
  }

  #delete(start: number): py.Delete {
    this.at++;
    const targets: py.Expression[] = [];
    do targets.push(this.target());
    while (this.accept(t.COMMA) && this.beginsExpression());
    return { kind: 'Delete', start, end: this.end, parent: undefined, targets };
  }

  #raise(start: number): py.Raise {
    this.at++;
    const exc = this.beginsExpression() ? this.expression() : undefined;
    const cause = exc && this.accept(t.FROM) ? this.expression() : undefined;
    let inst: py.Expression | undefined;
    let tback: py.Expression | undefined;
    if (exc && this.accept(t.COMMA)) {
      this.isPython2 = true;
      inst = this.expression();
      if (this.accept(t.COMMA)) tback = this.expression();
    }
    return { kind: 'Raise', start, end: this.end, parent: undefined, exc, cause, inst, tback };
  }

  // Imports

  #import(start: number): py.Import {
    this.at++;
    const names: py.Alias[] = [];
    do {
      const from = this.start;
      const name = this.#dottedName();
      names.push(this.#alias(from, name));
    } while (this.accept(t.COMMA));
    return { kind: 'Import', start, end: this.end, parent: undefined, names };
  }

  #importFrom(start: number): py.ImportFrom {
    this.at++;
    let level = 0;
    for (; this.kind === t.DOT || this.kind === t.ELLIPSIS; this.at++) level += this.kind === t.DOT ? 1 : 3;
    const module = level > 0 && this.kind === t.IMPORT ? undefined : this.#dottedName();
    let names: readonly py.Alias[] = NOTHING;
    if (this.expect(t.IMPORT, "'import'")) names = this.#imported();
    return { kind: 'ImportFrom', start, end: this.end, parent: undefined, module, names, level };
  }

  #imported(): py.Alias[] {
    const star = this.start;
    if (this.accept(t.STAR))
      return [{ kind: 'alias', start: star, end: this.end, parent: undefined, name: '*', asname: undefined }];
    const isBracketed = this.accept(t.LPAR);
    const names: py.Alias[] = [];
    do {
      if (isBracketed && this.kind === t.RPAR) break;
      const from = this.start;
      names.push(this.#alias(from, this.name()));
    } while (this.accept(t.COMMA));
    if (isBracketed) this.close(t.RPAR);
    return names;
  }

  #alias(start: number, name: string): py.Alias {
    const asname = this.accept(t.AS) ? this.name() : undefined;
    return { kind: 'alias', start, end: Math.max(start, this.end), parent: undefined, name, asname };
  }

  #dottedName(): string {
    let name = this.name();
    while (this.accept(t.DOT)) name += `.${this.name()}`;
    return name;
  }

  // Type parameters

  typeParameters(): readonly py.TypeParam[] {
    if (!this.accept(t.LSQB)) return NOTHING;
    const parameters: py.TypeParam[] = [];
    while (this.kind !== t.RSQB) {
      parameters.push(this.#typeParameter());
      if (!this.accept(t.COMMA)) break;
    }
    this.close(t.RSQB);
    return parameters;
  }

  #typeParameter(): py.TypeParam {
    const start = this.start;
    const isTuple = this.accept(t.STAR);
    const isSpecification = !isTuple && this.accept(t.DOUBLESTAR);
    const name = this.name();
    const bound = this.accept(t.COLON) ? this.expression() : undefined;
    const hasDefault = this.accept(t.EQUAL);
    const default_value = hasDefault ? (isTuple ? this.starredExpression() : this.expression()) : undefined;
    const end = Math.max(start, this.end);
    if (isTuple) return { kind: 'TypeVarTuple', start, end, parent: undefined, name, default_value };
    if (isSpecification) return { kind: 'ParamSpec', start, end, parent: undefined, name, default_value };
    return { kind: 'TypeVar', start, end, parent: undefined, name, bound, default_value };
  }
}
