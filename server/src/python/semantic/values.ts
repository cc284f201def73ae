/** The literals that an expression may hold, followed through assignments, conditions and defaults. */

import type { Call, ClassDef, Expression, NumberConstant, Subscript } from '../syntax/nodes.ts';
import { conditionsOf, type Reference } from './annotations.ts';
import { firstPositional, keywordOf } from './arguments.ts';
import type { Option } from './commandLineOptions.ts';
import { isDisplay, isNumber, itemsIn, MAX_DISPLAY_ITEMS, type StringLiteral, stringOf } from './literals.ts';
import type { NameResolution } from './nameResolution.ts';
import type { PathConditions } from './pathConditions.ts';
import type { Definition } from './scopes.ts';

export interface Literal {
  readonly node: StringLiteral | NumberConstant;
  readonly value: string | number;
  /**
   * True if a user of the program can pass another value: the literal is the default of an option, a field or a
   * parameter.
   */
  readonly isDefault: boolean;
  /** The conditions of each step from the literal to the expression. */
  readonly conditions: readonly PathConditions[];
}

/** Composed text: `"cuda:" + str(index)`, `f"cuda:{index}"`, `"cuda:%d" % index`, `"cuda:{}".format(index)`. */
interface Template extends Omit<Literal, 'node' | 'value'> {
  readonly node: Expression;
  /** The text up to the first hole. */
  readonly prefix: string;
  /** The expressions that fill the holes. */
  readonly holes: readonly Expression[];
}

export interface Values {
  literalsOf(expression: Expression): readonly Literal[];
  /** Returns the composed texts that the expression may hold. */
  templatesOf(expression: Expression): readonly Template[];
  /** Returns the options that `args.x` may refer to. */
  optionsOf(use: Reference): readonly Option[];
  /** True for a field of a dataclass, a named tuple or a pydantic model. */
  isField(definition: Definition): boolean;
}

const MAX_STEPS = 12;
/** Maximum number of expressions examined for one question, so that generated tables do not take too long. */
const MAX_EXPRESSIONS = 2000;

export function createValues(names: NameResolution, options: ReadonlyMap<string, readonly Option[]>): Values {
  const optionsOf = (use: Reference): readonly Option[] => {
    if (use.kind === 'Attribute')
      return use.value.kind === 'Name' && use.value.id === 'self' ? [] : (options.get(use.attr) ?? []);
    if (use.kind === 'Subscript') return options.get(stringOf(use.slice) ?? '') ?? [];
    // A parameter of a click command holds the value of the option with the same name.
    const functions = names
      .definitionsOf(use)
      .map(({ kind, node }) => (kind === 'parameter' ? node?.parent?.parent : undefined));
    return (options.get(use.id) ?? []).filter(({ call }) => call.parent && functions.includes(call.parent));
  };

  const isField = (definition: Definition): boolean => {
    const owner = definition.scope.kind === 'class' ? (definition.scope.node as ClassDef) : undefined;
    if (!owner || definition.node?.kind !== 'AnnAssign') return false;
    const marks = [...owner.decorator_list, ...owner.bases, ...owner.keywords.map(({ value }) => value)];
    return marks.some((mark) => /dataclass|BaseModel|BaseSettings|NamedTuple|attr|define|Config/.test(lastName(mark)));
  };

  let followed = 0;
  const follow = (expression: Expression, steps: number, seen: ReadonlySet<Definition>): Found[] => {
    if (steps > MAX_STEPS || ++followed > MAX_EXPRESSIONS) return [];
    const on = (next: Expression) => follow(next, steps + 1, seen);
    switch (expression.kind) {
      case 'Constant':
        if (expression.type === 'str') return [literal(expression, expression.value)];
        return isNumber(expression) ? [literal(expression, Number(expression.value))] : [];
      case 'JoinedStr': {
        const text = stringOf(expression);
        return text === undefined ? template(expression) : [literal(expression, text)];
      }
      case 'BinOp':
        return template(expression);
      case 'IfExp':
        return [...on(expression.body), ...on(expression.orelse)];
      case 'BoolOp':
        // `device or "cuda"` falls back to the literal if no device was passed.
        return expression.values.flatMap((value, index) =>
          index === 0 ? on(value) : on(value).map((found) => ({ ...found, isDefault: true })),
        );
      case 'NamedExpr':
        return on(expression.value);
      case 'Tuple':
      case 'List':
      case 'Set':
        return expression.elts.length > MAX_DISPLAY_ITEMS ? [] : expression.elts.flatMap(on);
      case 'Name':
      case 'Attribute':
        return literalsOfUse(expression, steps, seen);
      case 'Subscript':
        return [...literalsOfUse(expression, steps, seen), ...itemsOf(expression, steps, seen)];
      case 'Call': {
        const declared = declaredDefault(expression);
        return declared ? on(declared).map((found) => ({ ...found, isDefault: true })) : template(expression);
      }
      default:
        return [];
    }
  };

  const literalsOfUse = (use: Reference, steps: number, seen: ReadonlySet<Definition>): Found[] => {
    const found = names.definitionsOf(use).flatMap((definition) => {
      if (seen.has(definition) || !definition.value) return [];
      const deeper = new Set(seen).add(definition);
      const value = definition.kind === 'element' ? elementsOf(definition.value, names) : [definition.value];
      const isDefault = definition.kind === 'parameter' || isField(definition);
      return value
        .flatMap((each) => follow(each, steps + 1, deeper))
        .map((found) => ({
          ...found,
          isDefault: found.isDefault || isDefault,
          conditions:
            definition.kind === 'parameter'
              ? found.conditions
              : [...found.conditions, definition.conditions, ...definition.laterConditions, conditionsOf(use)],
        }));
    });
    const byOption = optionsOf(use).flatMap((option) =>
      option.default ? follow(option.default, steps + 1, seen).map((each) => ({ ...each, isDefault: true })) : [],
    );
    return [...found, ...byOption];
  };

  /** `devices[0]` and `table["key"]`, if the program assigns a display to the name. */
  const itemsOf = (use: Subscript, steps: number, seen: ReadonlySet<Definition>): Found[] => {
    if (use.value.kind !== 'Name' && use.value.kind !== 'Attribute') return [];
    return names.definitionsOf(use.value).flatMap((definition) => {
      if (seen.has(definition) || definition.kind !== 'value' || !definition.value) return [];
      return itemsIn(definition.value, use.slice).flatMap((item) =>
        follow(item, steps + 1, new Set(seen).add(definition)),
      );
    });
  };

  const found = (expression: Expression): readonly Found[] => {
    followed = 0;
    return follow(expression, 0, new Set());
  };

  return {
    literalsOf: (expression) => found(expression).filter((each) => 'value' in each),
    templatesOf: (expression) => found(expression).filter((each) => 'holes' in each),
    optionsOf,
    isField,
  };
}

type Found = Literal | Template;

/** The template that an expression forms, if any. */
function template(expression: Expression): Template[] {
  const written = templateIn(expression);
  return written ? [{ node: expression, ...written, isDefault: false, conditions: [conditionsOf(expression)] }] : [];
}

function templateIn(expression: Expression): Pick<Template, 'prefix' | 'holes'> | undefined {
  if (expression.kind === 'JoinedStr') {
    const [first] = expression.values;
    const holes = expression.values.flatMap((each) => (each.kind === 'FormattedValue' ? [each.value] : []));
    return { prefix: stringOf(first) ?? '', holes };
  }
  if (expression.kind === 'BinOp') {
    const text = stringOf(expression.left);
    if (text === undefined) return undefined;
    if (expression.op === '+') return { prefix: text, holes: [expression.right] };
    return expression.op === '%' ? { prefix: text.split('%')[0] ?? '', holes: [expression.right] } : undefined;
  }
  if (expression.kind !== 'Call' || expression.func.kind !== 'Attribute' || expression.func.attr !== 'format')
    return undefined;
  const text = stringOf(expression.func.value);
  return text === undefined ? undefined : { prefix: text.split('{')[0] ?? '', holes: expression.args };
}

function literal(node: Literal['node'], value: string | number): Literal {
  return { node, value, isDefault: false, conditions: [conditionsOf(node)] };
}

/** The items that a loop over the expression iterates over, if the expression is a display. */
function elementsOf(iterated: Expression, names: NameResolution): readonly Expression[] {
  if (isDisplay(iterated)) return iterated.elts.length > MAX_DISPLAY_ITEMS ? [] : iterated.elts;
  if (iterated.kind !== 'Name' && iterated.kind !== 'Attribute') return [];
  return names
    .definitionsOf(iterated)
    .flatMap((definition) =>
      definition.kind === 'value' && isDisplay(definition.value) ? elementsOf(definition.value, names) : [],
    );
}

/** The default in `field(default="cuda")` of a dataclass, or in typer's `Option("cuda")`. */
function declaredDefault(call: Call): Expression | undefined {
  if (!/^(field|Field|Option|Argument|attrib|ib)$/.test(lastName(call.func))) return undefined;
  return keywordOf(call, 'default') ?? firstPositional(call);
}

function lastName(expression: Expression): string {
  if (expression.kind === 'Call') return lastName(expression.func);
  if (expression.kind === 'Attribute') return expression.attr;
  return expression.kind === 'Name' ? expression.id : '';
}
