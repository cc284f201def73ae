import {
  type Binding,
  type ChatTemplate,
  type Filter,
  LOOP_ITEM,
  type Macro,
  NO_ARGUMENTS,
  type TemplateArguments,
  type TemplateExpression,
} from './syntax.ts';
import { TemplateTrouble, type Token, tokensOf } from './tokens.ts';

/**
 * Maximum nesting depth of brackets and conditions, and maximum length of a chain of attributes, subscripts, calls and
 * filters.
 */
const DEEPEST = 50;
const LONGEST_CHAIN = 50;

/**
 * Binary operators from weakest to strongest, as in `jinja2/parser.py` of Jinja 3.1. Comparisons come between LOGIC and
 * ARITHMETIC.
 */
const LOGIC: readonly string[] = ['or', 'and'];
const COMPARING = /^([=!]=|[<>]=?)$/;
const ARITHMETIC: readonly RegExp[] = [/^[+-]$/, /^~$/, /^([*%]|\/\/?)$/, /^\*\*$/];

const CONSTANTS = /^([Tt]rue|[Ff]alse|[Nn]one)$/;

/** Tags without arguments: ends of blocks, loop controls, and the tags that transformers puts around an answer. */
const WITHOUT_ARGUMENTS = /^(else|end(for|if|macro|call|filter|set|with|generation)|generation|break|continue)$/;

/** Parses a template. @throws TemplateTrouble for invalid templates and for statements that no chat needs */
export function parseTemplate(source: string): ChatTemplate {
  const tokens = tokensOf(source);
  const expressions: TemplateExpression[] = [];
  const bindings: Binding[] = [];
  const macros: Macro[] = [];
  let at = 0;
  let depth = 0;

  const peek = (): Token => tokens[at] ?? END;
  const isNext = (value: string, kind = 'operator') => peek().kind === kind && peek().value === value;
  const isWord = (word: string) => isNext(word, 'name');
  const take = (value: string, kind = 'operator') => {
    if (!isNext(value, kind)) return false;
    at++;
    return true;
  };
  const expect = (value: string, kind = 'operator') => {
    if (!take(value, kind)) throw new TemplateTrouble(`lacks \`${value}\` before \`${peek().value}\``);
  };
  const takeName = (): string => {
    const { kind, value } = peek();
    if (kind !== 'name') throw new TemplateTrouble(`lacks a name before \`${value}\``);
    at++;
    return value;
  };
  const takeOperator = (pattern: RegExp): string | undefined => {
    const { kind, value } = peek();
    if (kind !== 'operator' || !pattern.test(value)) return undefined;
    at++;
    return value;
  };
  const nested = <T>(read: () => T): T => {
    if (++depth > DEEPEST) throw new TemplateTrouble(`nests deeper than ${DEEPEST} levels`);
    const found = read();
    depth--;
    return found;
  };

  const condition = (): TemplateExpression =>
    nested(() => {
      const items = [logic(0)];
      const conditions: TemplateExpression[] = [];
      while (take('if', 'name')) {
        conditions.push(logic(0));
        if (take('else', 'name')) items.push(condition());
      }
      return choiceOf(items, conditions);
    });

  const logic = (level: number): TemplateExpression => {
    const word = LOGIC[level];
    if (word === undefined) return negation();
    const items = [logic(level + 1)];
    while (take(word, 'name')) items.push(logic(level + 1));
    return choiceOf(items, []);
  };

  const negation = (): TemplateExpression => {
    let isNegated = false;
    while (take('not', 'name')) isNegated = true;
    const compared = comparison();
    return isNegated ? { kind: 'truth', items: [compared] } : compared;
  };

  const comparison = (): TemplateExpression => {
    const items = [arithmetic(0)];
    while (takeComparison()) items.push(arithmetic(0));
    const [only] = items;
    return only && items.length === 1 ? only : { kind: 'truth', items };
  };

  const takeComparison = (): boolean => {
    if (takeOperator(COMPARING) !== undefined || take('in', 'name')) return true;
    const after = tokens[at + 1];
    if (!isWord('not') || after?.kind !== 'name' || after.value !== 'in') return false;
    at += 2;
    return true;
  };

  const arithmetic = (level: number): TemplateExpression => {
    const pattern = ARITHMETIC[level];
    if (!pattern) return unary(true);
    const first = arithmetic(level + 1);
    const items = [first];
    const operators = new Set<string>();
    for (let next = takeOperator(pattern); next !== undefined; next = takeOperator(pattern)) {
      operators.add(next);
      items.push(arithmetic(level + 1));
    }
    return items.length === 1 ? first : { kind: 'arithmetic', operators, items };
  };

  const unary = (takesFilters: boolean): TemplateExpression => {
    let isSigned = false;
    while (takeOperator(/^[+-]$/) !== undefined) isSigned = true;
    const value = isSigned ? postfix(primary(), false) : primary();
    const signed: TemplateExpression = isSigned
      ? { kind: 'arithmetic', operators: new Set('-'), items: [value] }
      : value;
    return postfix(signed, takesFilters);
  };

  const primary = (): TemplateExpression => {
    const { kind, value } = peek();
    at++;
    if (kind === 'name') return CONSTANTS.test(value) ? NUMBER : { kind: 'name', name: value };
    if (kind === 'number') return NUMBER;
    if (kind === 'string') {
      const parts = [value];
      // Adjacent strings are concatenated.
      for (; peek().kind === 'string'; at++) parts.push(peek().value);
      return { kind: 'text', source: parts.join('') };
    }
    if (kind !== 'operator' || !/^[([{]$/.test(value))
      throw new TemplateTrouble(`has \`${value}\` where a value is expected`);
    return nested(() => (value === '(' ? parenthesized() : value === '[' ? list(']') : mapping()));
  };

  const parenthesized = (): TemplateExpression => {
    const items = separated(')', condition);
    const [only] = items;
    const isTuple = items.length !== 1 || (tokens[at - 1]?.kind === 'operator' && tokens[at - 1]?.value === ',');
    expect(')');
    return only && !isTuple ? only : { kind: 'collection', items };
  };

  const list = (closing: string): TemplateExpression => {
    const items = separated(closing, condition);
    expect(closing);
    return { kind: 'collection', items };
  };

  const mapping = (): TemplateExpression => {
    const items = separated('}', () => {
      const key = condition();
      expect(':');
      return [key, condition()];
    });
    expect('}');
    return { kind: 'collection', items: items.flat() };
  };

  /** Parses comma-separated items up to a closing bracket. */
  const separated = <T>(closing: string, read: () => T): T[] => {
    const found: T[] = [];
    while (!isNext(closing)) {
      if (found.length > 0) expect(',');
      if (isNext(closing)) break;
      found.push(read());
    }
    return found;
  };

  /** Parses attributes, subscripts, calls, filters and tests after a value. */
  const postfix = (value: TemplateExpression, takesFilters: boolean): TemplateExpression => {
    let base = value;
    for (let links = 0; ; links++) {
      if (links > LONGEST_CHAIN)
        throw new TemplateTrouble(`has more than ${LONGEST_CHAIN} filters or attributes in a row`);
      if (take('.')) base = attributeOf(base);
      else if (take('[')) base = subscriptOf(base);
      else if (isNext('(')) base = { kind: 'call', callee: base, arguments: callArguments() };
      else if (takesFilters && take('|')) base = filterOf(base);
      else if (takesFilters && take('is', 'name')) base = testOf(base);
      else return base;
    }
  };

  const attributeOf = (base: TemplateExpression): TemplateExpression => {
    if (peek().kind !== 'number') return { kind: 'attribute', base, name: takeName() };
    at++;
    return { kind: 'subscript', base, index: NUMBER };
  };

  const subscriptOf = (base: TemplateExpression): TemplateExpression => {
    const parts: TemplateExpression[] = [];
    let isSlice = false;
    while (!isNext(']')) {
      if (take(':')) isSlice = true;
      else if (parts.length > 0 && isNext(',')) throw new TemplateTrouble('has a subscript of several values');
      else parts.push(condition());
    }
    expect(']');
    if (isSlice) return { kind: 'slice', base, bounds: parts };
    const [index] = parts;
    if (!index || parts.length > 1) throw new TemplateTrouble('has an invalid subscript');
    return { kind: 'subscript', base, index };
  };

  const callArguments = (): TemplateArguments =>
    nested(() => {
      expect('(');
      const positional: TemplateExpression[] = [];
      const named: [string, TemplateExpression][] = [];
      separated(')', () => {
        if (isNext('*') || isNext('**')) throw new TemplateTrouble('passes arguments with `*`');
        const isNamed = peek().kind === 'name' && tokens[at + 1]?.kind === 'operator' && tokens[at + 1]?.value === '=';
        if (!isNamed) return positional.push(condition());
        const name = takeName();
        expect('=');
        return named.push([name, condition()]);
      });
      expect(')');
      return { positional, named };
    });

  const filterOf = (base: TemplateExpression): Filter => {
    const name = dottedName();
    return { kind: 'filter', base, name, arguments: isNext('(') ? callArguments() : NO_ARGUMENTS };
  };

  /** Parses the filters that are applied to the text of a block. */
  const filtered = (isFirstMarked: boolean): TemplateExpression => {
    let value: TemplateExpression = BLOCK;
    if (!isFirstMarked) value = filterOf(value);
    while (take('|')) value = filterOf(value);
    expressions.push(value);
    return value;
  };

  const dottedName = (): string => {
    let name = takeName();
    while (take('.')) name += `.${takeName()}`;
    return name;
  };

  const testOf = (base: TemplateExpression): TemplateExpression => {
    take('not', 'name');
    const name = dottedName();
    return { kind: 'test', base, name, arguments: isNext('(') ? callArguments() : loneArgument() };
  };

  /** Parses the argument of a test, which may lack parentheses. */
  const loneArgument = (): TemplateArguments => {
    const { kind, value } = peek();
    const isValue = kind === 'string' || kind === 'number' || (kind === 'operator' && /^[[{]$/.test(value));
    if (!isValue && (kind !== 'name' || /^(else|or|and|is|if|not|in|recursive)$/.test(value))) return NO_ARGUMENTS;
    return { positional: [postfix(primary(), false)], named: [] };
  };

  const tuple = (read: () => TemplateExpression): TemplateExpression => {
    const first = read();
    if (!isNext(',')) return first;
    const items = [first];
    while (take(',')) if (peek().kind !== 'close') items.push(read());
    return { kind: 'collection', items };
  };

  const target = (): string[] => {
    const names: string[] = [];
    do {
      if (take('(')) {
        names.push(...nested(target));
        expect(')');
      } else names.push(takeName());
    } while (take(','));
    return names;
  };

  const bind = (names: readonly string[], value: TemplateExpression, isItem = false) => {
    for (const name of names) bindings.push({ name, value, isItem });
  };

  const parameters = (): string[] => {
    expect('(');
    const names = separated(')', () => {
      const name = takeName();
      const value = take('=') ? condition() : undefined;
      if (value) {
        expressions.push(value);
        bind([name], value);
      }
      return name;
    });
    expect(')');
    return names;
  };

  const statements: Readonly<Record<string, () => void>> = {
    for: () => {
      const names = target();
      expect('in', 'name');
      const over = tuple(() => logic(0));
      expressions.push(over);
      bind([...names, LOOP_ITEM], over, true);
      if (take('if', 'name')) expressions.push(condition());
    },
    if: () => expressions.push(tuple(condition)),
    elif: () => expressions.push(tuple(condition)),
    set: () => {
      const [first = '', ...others] = target();
      const name = others.length === 0 && take('.') ? `.${takeName()}` : first;
      if (name !== first) expressions.push({ kind: 'name', name: first });
      if (!take('=')) return bind([name, ...others], filtered(true));
      const value = tuple(condition);
      expressions.push(value);
      bind([name, ...others], value, others.length > 0);
    },
    with: () => {
      while (peek().kind === 'name') {
        const name = takeName();
        expect('=');
        const value = condition();
        expressions.push(value);
        bind([name], value);
        if (!take(',')) break;
      }
    },
    macro: () => {
      const name = takeName();
      macros.push({ name, parameters: parameters() });
    },
    call: () => {
      // A macro can pass any value to the block after its call.
      if (isNext('(')) bind(parameters(), { kind: 'name', name: 'caller' });
      expressions.push(condition());
    },
    filter: () => void filtered(false),
  };

  while (at < tokens.length) {
    const { kind, value } = peek();
    at++;
    if (kind !== 'open') continue;
    if (value === '{{') expressions.push(tuple(condition));
    else {
      const tag = takeName();
      const read = Object.hasOwn(statements, tag) ? statements[tag] : undefined;
      if (!read && !WITHOUT_ARGUMENTS.test(tag)) throw new TemplateTrouble(`has the statement \`${tag}\``);
      read?.();
    }
    if (peek().kind !== 'close') throw new TemplateTrouble(`has \`${peek().value}\` where the tag should end`);
  }
  return { expressions, bindings, macros };
}

const END: Token = { kind: 'text', value: '' };
const NUMBER: TemplateExpression = { kind: 'number' };
const BLOCK: TemplateExpression = { kind: 'block' };

function choiceOf(items: readonly TemplateExpression[], conditions: readonly TemplateExpression[]): TemplateExpression {
  const [only] = items;
  return only && items.length === 1 && conditions.length === 0 ? only : { kind: 'choice', items, conditions };
}
