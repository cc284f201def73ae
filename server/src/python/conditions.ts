/** What the outcome of a test says about GPUs: guards 1 to 3, through any number of assignments. */
import {
  atLeast,
  both,
  ENOUGH,
  type Evidence,
  either,
  GUARD,
  IMPOSSIBLE,
  isImpossible,
  NONE,
  WEAK,
} from './evidence.ts';
import type { Facts } from './facts.ts';
import type { Names } from './names.ts';
import { lastPartOf, pathOf } from './paths.ts';
import type { Definition } from './scopes.ts';
import { isDistributedSwitch, isRank, switchKind } from './switches.ts';
import type { Attribute, Call, Compare, Expression, FunctionDef, Name, Subscript } from './syntax.ts';
import { walk } from './syntax.ts';
import type { Values } from './values.ts';

/** Names that a project declares to mean "a GPU is there". */
export interface GuardNames {
  readonly decorators: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

/** What a name holds where it is asked about: one of the literals that it may hold. */
export interface Assumption {
  readonly path: string;
  readonly device: string;
}

type Use = Name | Attribute | Subscript;

const AVAILABLE = new Set([
  'torch.cuda.is_available',
  'torch.cuda.is_initialized',
  'torch.cuda.is_bf16_supported',
  'torch.accelerator.is_available',
  'torch.backends.cudnn.is_available',
  'torch.accelerator.current_accelerator',
  'torch.distributed.is_nccl_available',
  'tensorflow.test.is_gpu_available',
  'tensorflow.test.gpu_device_name',
]);
const COUNTS = new Set(['torch.cuda.device_count', 'torch.accelerator.device_count']);
const LISTS = /^tensorflow\.config\.(experimental\.)?list_(physical|logical)_devices$/;
const INITIALIZED = new Set(['torch.distributed.is_initialized', 'torch.distributed.get_world_size']);
/** Calls whose truth is the truth of their first argument. */
const TRANSPARENT = new Set(['bool', 'int', 'len', 'any', 'all', 'str', 'list', 'tuple', 'enumerate', 'sorted', 'set']);

const NEGATED: Readonly<Record<string, string>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '==': '!=',
  '!=': '==',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
  'not in': 'in',
  '<>': '==',
};
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/**
 * Returns the function that judges the outcome of a test. `evidenceAt` tells what holds where a definition was made: a
 * flag that is only set under a guard is one itself.
 */
export function createConditions(
  names: Names,
  values: Values,
  guardNames: GuardNames,
  evidenceAt: (facts: Facts) => Evidence,
): (test: Expression, truth: boolean, assumed?: Assumption) => Evidence {
  const known = new Map<Expression, [Evidence | undefined, Evidence | undefined]>();
  const active = new Set<Definition | FunctionDef>();

  let assumption: Assumption | undefined;

  const outcome = (test: Expression, truth: boolean): Evidence => {
    if (assumption) return judge(test, truth);
    const slot = known.get(test) ?? [undefined, undefined];
    const before = slot[truth ? 1 : 0];
    if (before) return before;
    const found = judge(test, truth);
    // What was found on a circle of definitions holds for this question only.
    if (active.size === 0) {
      slot[truth ? 1 : 0] = found;
      known.set(test, slot);
    }
    return found;
  };

  const judge = (test: Expression, truth: boolean): Evidence => {
    switch (test.kind) {
      case 'Constant':
        return Boolean(test.value) === truth ? NONE : IMPOSSIBLE;
      case 'Num':
        return (test.value !== 0) === truth ? NONE : IMPOSSIBLE;
      case 'UnaryOp':
        return test.op === 'not' ? outcome(test.operand, !truth) : NONE;
      case 'BoolOp': {
        const left = outcome(test.left, truth);
        const right = outcome(test.right, truth);
        return (test.op === 'and') === truth ? both(left, right) : either(left, right);
      }
      case 'BinOp': {
        if (test.op !== '&' && test.op !== '|') return NONE;
        const left = outcome(test.left, truth);
        const right = outcome(test.right, truth);
        return (test.op === '&') === truth ? both(left, right) : either(left, right);
      }
      case 'IfExp':
        return either(
          both(outcome(test.test, true), outcome(test.body, truth)),
          both(outcome(test.test, false), outcome(test.orelse, truth)),
        );
      case 'NamedExpr':
        return outcome(test.value, truth);
      case 'Compare':
        return comparison(test, truth);
      case 'Call':
        return call(test, truth);
      case 'Name':
      case 'Attribute':
      case 'Subscript':
        return use(test, truth);
      case 'Comprehension': {
        // Something came through the conditions.
        const conditions = test.generators.flatMap((generator) => generator.conditions);
        return truth ? conditions.reduce((sum, condition) => both(sum, outcome(condition, true)), NONE) : NONE;
      }
      default:
        return NONE;
    }
  };

  // Names, attributes, items

  const use = (test: Use, truth: boolean): Evidence => {
    const last = lastPartOf(test);
    if (test.kind === 'Attribute' && last === 'is_cuda') return truth ? GUARD : NONE;
    const definitions = names.definitionsOf(test);
    const derived = fromDefinitions(definitions, (definition) => ofDefinition(definition, truth));
    return both(derived, bySwitch(test, last, truth, definitions, derived));
  };

  const fromDefinitions = (
    definitions: readonly Definition[],
    judgeOne: (definition: Definition) => Evidence,
  ): Evidence => {
    let sum: Evidence | undefined;
    for (const definition of definitions) {
      if (active.has(definition)) continue;
      active.add(definition);
      const one = judgeOne(definition);
      active.delete(definition);
      sum = sum ? either(sum, one) : one;
    }
    return sum ?? NONE;
  };

  const ofDefinition = (definition: Definition, truth: boolean): Evidence => {
    if (definition.kind !== 'value' || !definition.value) return NONE;
    const value = outcome(definition.value, truth);
    if (isImpossible(value)) return value;
    return [definition.facts, ...definition.passed].reduce<Evidence>(
      (sum, facts) => both(sum, evidenceAt(facts)),
      value,
    );
  };

  const bySwitch = (
    test: Use,
    last: string | undefined,
    truth: boolean,
    definitions: readonly Definition[],
    derived: Evidence,
  ): Evidence => {
    if (last === undefined) return NONE;
    if (guardNames.variables.has(last)) return truth ? GUARD : NONE;
    if (truth && isDistributedSwitch(last)) return WEAK;
    const kind = switchKind(last);
    if (!kind || isTorchModule(test)) return NONE;
    if (kind === 'off') return truth ? NONE : WEAK;
    if (!truth) return NONE;
    if (derived.level === 'weak') return NONE;
    return isOnByDefault(test, definitions) ? WEAK : GUARD;
  };

  const isTorchModule = (test: Use): boolean =>
    names.qualify(test).some((name) => /^(torch|torch\.cuda|torch\.backends\.cuda)$/.test(name));

  /** The user has to opt out: `store_false`, `default=True`, a parameter or a constant that is `True`. */
  const isOnByDefault = (test: Use, definitions: readonly Definition[]): boolean => {
    const isOn = (value: Expression | undefined) =>
      (value?.kind === 'Constant' && value.value === true) || (value?.kind === 'Num' && value.value === 1);
    if (definitions.some((definition) => definition.kind !== 'element' && isOn(definition.value))) return true;
    return values.optionsOf(test).some((option) => option.action === 'store_false' || isOn(option.default));
  };

  // Calls

  const call = (test: Call, truth: boolean): Evidence => {
    const qualified = names.qualify(test.func);
    const first = test.args[0]?.value;
    if (qualified.some((name) => AVAILABLE.has(name) || COUNTS.has(name))) return truth ? GUARD : NONE;
    if (qualified.some((name) => LISTS.test(name))) return truth && listsGpus(test) ? GUARD : NONE;
    if (qualified.some((name) => INITIALIZED.has(name))) return truth ? WEAK : NONE;
    if (test.func.kind === 'Name' && test.func.id === 'range') {
      const end = test.args[test.args.length > 1 ? 1 : 0]?.value;
      return end ? outcome(end, truth) : NONE;
    }
    if (test.func.kind === 'Name' && TRANSPARENT.has(test.func.id) && first) return outcome(first, truth);
    if (test.func.kind === 'Attribute' && test.func.attr === 'startswith')
      return truth && namesCuda(first) ? GUARD : NONE;
    const item = itemOf(test);
    if (item !== undefined)
      return switchKind(item) === 'on' ? (truth ? GUARD : NONE) : switchKind(item) === 'off' && !truth ? WEAK : NONE;
    if (isLiteralCheck(test)) return NONE;
    const declaration = names.declarationOf(test.func);
    if (declaration?.kind === 'FunctionDef') {
      const returned = ofReturns(declaration, truth);
      if (returned.level !== 'none') return returned;
    }
    const last = test.func.kind === 'Name' || test.func.kind === 'Attribute' ? lastPartOf(test.func) : undefined;
    if (last === undefined || qualified.some((name) => name.startsWith('torch.'))) return NONE;
    if (guardNames.functions.has(last) || qualified.some((name) => guardNames.functions.has(name)))
      return truth ? GUARD : NONE;
    // `is_torch_cuda_available()`, `has_gpu()`: a function named for the question.
    if (switchKind(last) === 'on' && truth) return GUARD;
    return NONE;
  };

  const listsGpus = (test: Call): boolean => {
    const kind = test.args[0]?.value;
    return kind?.kind === 'Str' && kind.value === 'GPU';
  };

  /** `config.get("gpu")`, `os.environ.get("USE_CUDA")`, `getattr(args, "gpu")`: the item's name. */
  const itemOf = (test: Call): string | undefined => {
    const isGet = test.func.kind === 'Attribute' && (test.func.attr === 'get' || test.func.attr === 'getenv');
    const isGetattr = test.func.kind === 'Name' && (test.func.id === 'getattr' || test.func.id === 'getenv');
    if (!isGet && !isGetattr) return undefined;
    return test.args.flatMap((arg) => (arg.value.kind === 'Str' ? [arg.value.value] : []))[0];
  };

  const isLiteralCheck = (test: Call): boolean =>
    test.func.kind === 'Name' && (test.func.id === 'hasattr' || test.func.id === 'isinstance');

  /** A function of the program is asked: what it returns is the test. */
  const ofReturns = (declaration: FunctionDef, truth: boolean): Evidence => {
    if (active.has(declaration)) return NONE;
    active.add(declaration);
    let sum: Evidence | undefined;
    for (const statement of declaration.body) {
      walk(statement, (node) => {
        if (node.kind === 'FunctionDef' || node.kind === 'ClassDef' || node.kind === 'Lambda') return false;
        if (node.kind === 'Return') {
          const one = node.value ? both(outcome(node.value, truth), NONE) : truth ? IMPOSSIBLE : NONE;
          sum = sum ? either(sum, one) : one;
        }
        return true;
      });
    }
    active.delete(declaration);
    return sum ?? NONE;
  };

  // Comparisons

  const comparison = (test: Compare, truth: boolean): Evidence => {
    let sum: Evidence | undefined;
    for (let index = 0; index < test.ops.length; index++) {
      const left = test.operands[index];
      const right = test.operands[index + 1];
      if (!left || !right) continue;
      const op = test.ops[index] ?? '';
      const one = pair(left, truth ? op : (NEGATED[op] ?? ''), right);
      sum = sum ? (truth ? both(sum, one) : either(sum, one)) : one;
    }
    return sum ?? NONE;
  };

  const pair = (left: Expression, op: string, right: Expression): Evidence => {
    if (isLiteral(left) && !isLiteral(right) && op !== 'in' && op !== 'not in')
      return pair(right, MIRRORED[op] ?? op, left);
    const namesDevice = deviceTest(left, op, right);
    if (namesDevice) return namesDevice;
    if (op === 'in' || op === 'not in') return NONE;
    if ((op === '>' || op === '>=') && isCount(right) && !isCount(left)) return NONE;
    if ((op === '<' || op === '<=') && isCount(right)) return pair(right, MIRRORED[op] ?? op, left);
    return numberTest(left, op, right) ?? booleanTest(left, op, right) ?? NONE;
  };

  /** `device.type == "cuda"`, `"cuda" in str(device)`, `device in ("cuda", "mps")`, `device != "cpu"`. */
  const deviceTest = (left: Expression, op: string, right: Expression): Evidence | undefined => {
    if (assumption && contradicts(assumption, left, op, right)) return IMPOSSIBLE;
    if (op === 'in' || op === 'not in') {
      const isIn = op === 'in';
      if (left.kind === 'Str') {
        if (namesCuda(left)) return isIn ? GUARD : NONE;
        if (left.value === 'cpu') return isIn ? NONE : GUARD;
        return undefined;
      }
      if (right.kind !== 'Sequence') return undefined;
      const hasCuda = right.items.some(namesCuda);
      const hasCpu = right.items.some((item) => item.kind === 'Str' && item.value === 'cpu');
      if (hasCuda && !hasCpu) return isIn ? GUARD : NONE;
      return hasCpu && !isIn ? GUARD : hasCpu || hasCuda ? NONE : undefined;
    }
    const isDeviceCall = right.kind === 'Call' && names.qualify(right.func).includes('torch.device');
    const named = isDeviceCall ? right.args[0]?.value : right;
    if (named?.kind !== 'Str') return undefined;
    if (namesCuda(named)) return op === '==' || op === 'is' ? GUARD : NONE;
    if (named.value === 'cpu') return op === '!=' || op === 'is not' ? GUARD : NONE;
    return undefined;
  };

  /** `device_count() > 1`, `n_gpu > 0`, `args.gpu >= 0`, `args.local_rank != -1`. */
  const numberTest = (left: Expression, op: string, right: Expression): Evidence | undefined => {
    const bound = numberOf(right);
    if (isCount(left)) {
      if (bound === undefined) return op === '>' || op === '>=' || op === '==' ? ENOUGH : NONE;
      if (op === '>') return atLeast(bound + 1);
      if (op === '>=' || op === '==') return atLeast(bound);
      return op === '!=' && bound === 0 ? GUARD : NONE;
    }
    const subject = unwrapped(left);
    const last = subject && lastPartOf(subject);
    if (last === undefined) return undefined;
    const isNone = right.kind === 'Constant' && right.value === null;
    const excludesOff =
      (isNone && (op === 'is not' || op === '!=')) ||
      (bound !== undefined &&
        (((op === '>' || op === '>=') && bound >= -1) || (op === '!=' && bound <= 0) || (op === '==' && bound >= 0)));
    if (isRank(last) || isDistributedSwitch(last)) return excludesOff ? WEAK : NONE;
    if (switchKind(last) !== 'on') return undefined;
    if (bound === undefined && !isNone) return undefined;
    if (!excludesOff) return NONE;
    return /s$|^n_?gpu|^num/i.test(last) && bound !== undefined && op !== '!='
      ? atLeast(Math.max(1, op === '>' ? bound + 1 : bound))
      : GUARD;
  };

  /** `use_cuda == True`, `use_cuda is False`, `args.cuda != "no"`. */
  const booleanTest = (left: Expression, op: string, right: Expression): Evidence | undefined => {
    const isEqual = op === '==' || op === 'is';
    if (!isEqual && op !== '!=' && op !== 'is not') return undefined;
    if (right.kind === 'Constant' && right.value !== null) return outcome(left, right.value === isEqual);
    if (right.kind === 'Constant') return isEqual ? NONE : outcome(left, true);
    const subject = unwrapped(left);
    const kind = switchKind((subject && lastPartOf(subject)) ?? '');
    if (kind !== 'on') return undefined;
    const isOff = right.kind === 'Str' && /^(|-1|no|none|false|off|0)$/i.test(right.value ?? '');
    return isEqual !== isOff ? GUARD : NONE;
  };

  /** An expression that is a number of GPUs: `torch.cuda.device_count()`, `len(gpus)`, a name that holds one. */
  const isCount = (expression: Expression): boolean => {
    if (expression.kind === 'NamedExpr') return isCount(expression.value);
    if (expression.kind === 'Call') {
      const qualified = names.qualify(expression.func);
      if (qualified.some((name) => COUNTS.has(name))) return true;
      const first = expression.args[0]?.value;
      if (expression.func.kind !== 'Name' || !first || !TRANSPARENT.has(expression.func.id)) return false;
      return expression.func.id === 'len' ? isGpuList(first) : isCount(first);
    }
    if (expression.kind !== 'Name' && expression.kind !== 'Attribute' && expression.kind !== 'Subscript') return false;
    const definitions = names.definitionsOf(expression).filter((definition) => !active.has(definition));
    return definitions.some((definition) => {
      active.add(definition);
      const found = definition.kind === 'value' && !!definition.value && isCount(definition.value);
      active.delete(definition);
      return found;
    });
  };

  const isGpuList = (expression: Expression): boolean => {
    if (expression.kind === 'Call')
      return names.qualify(expression.func).some((name) => LISTS.test(name)) && listsGpus(expression);
    if (expression.kind !== 'Name' && expression.kind !== 'Attribute') return false;
    return names
      .definitionsOf(expression)
      .some(({ kind, value }) => kind === 'value' && value?.kind === 'Call' && isGpuList(value));
  };

  /** The name inside `len(x)`, `int(x)`, `x[0]`. */
  const unwrapped = (expression: Expression): Use | undefined => {
    if (expression.kind === 'Call' && expression.func.kind === 'Name' && TRANSPARENT.has(expression.func.id)) {
      const first = expression.args[0]?.value;
      return first && unwrapped(first);
    }
    if (expression.kind === 'Subscript' && expression.index.kind !== 'Str') return unwrapped(expression.value);
    return expression.kind === 'Name' || expression.kind === 'Attribute' || expression.kind === 'Subscript'
      ? expression
      : undefined;
  };

  return (test, truth, assumed) => {
    assumption = assumed;
    const found = outcome(test, truth);
    assumption = undefined;
    return found;
  };
}

/** True when a comparison can't come out this way, given what the device is. */
function contradicts(assumed: Assumption, left: Expression, op: string, right: Expression): boolean {
  if ((op === 'in' || op === 'not in') && left.kind === 'Str') {
    if (left.value === undefined || devicePathOf(right)?.path !== assumed.path) return false;
    return assumed.device.includes(left.value) !== (op === 'in');
  }
  const subject = devicePathOf(left);
  if (subject?.path !== assumed.path) return false;
  const device = subject.isType ? assumed.device.replace(/:.*/, '') : assumed.device;
  if (op === 'in' || op === 'not in') {
    if (right.kind !== 'Sequence' || !right.items.every((item) => item.kind === 'Str')) return false;
    return right.items.some((item) => item.kind === 'Str' && item.value === device) !== (op === 'in');
  }
  if (right.kind !== 'Str' || right.value === undefined) return false;
  return (right.value === device) !== (op === '==' || op === 'is');
}

/** The device that is asked: `device` of `device`, `str(device)`, `device.type` and `torch.device(device).type`. */
function devicePathOf(expression: Expression): { path: string; isType: boolean } | undefined {
  if (expression.kind === 'Call') {
    const first = expression.args[0]?.value;
    return first && expression.args.length === 1 ? devicePathOf(first) : undefined;
  }
  if (expression.kind === 'Attribute' && expression.attr === 'type') {
    const inner = devicePathOf(expression.value);
    return inner && { ...inner, isType: true };
  }
  const path = pathOf(expression);
  return path === undefined ? undefined : { path, isType: false };
}

function namesCuda(expression: Expression | undefined): boolean {
  return expression?.kind === 'Str' && /^(cuda|gpu)(:\d*)?$/i.test(expression.value ?? '');
}

function isLiteral(expression: Expression): boolean {
  return expression.kind === 'Str' || expression.kind === 'Constant' || numberOf(expression) !== undefined;
}

function numberOf(expression: Expression): number | undefined {
  if (expression.kind === 'Num') return expression.value;
  if (expression.kind === 'UnaryOp' && expression.op === '-' && expression.operand.kind === 'Num')
    return -expression.operand.value;
  return undefined;
}
