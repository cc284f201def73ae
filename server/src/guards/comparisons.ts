/** Evidence about GPUs in the outcome of a comparison. */

import { calledName, lastPartOf } from '../python/semantic/accessPaths.ts';
import type { Reference } from '../python/semantic/annotations.ts';
import { isDisplay, isNone, numberOf, stringOf } from '../python/semantic/literals.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { Definition } from '../python/semantic/scopes.ts';
import type { Compare, Expression, FunctionDef } from '../python/syntax/nodes.ts';
import { type Assumption, contradicts } from './assumption.ts';
import { COUNTS, isCudaTensorType, listsGpus, TRANSPARENT } from './availability.ts';
import {
  atLeast,
  both,
  DISTRIBUTED,
  ENOUGH,
  type Evidence,
  either,
  GUARD,
  IMPOSSIBLE,
  NO_EVIDENCE,
} from './evidence.ts';
import { isDistributedSwitch, isRank, isWorldSize, switchKind } from './switches.ts';

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
};
const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/**
 * Creates the function that evaluates comparisons. `outcome` evaluates any test; `active` holds the definitions being
 * followed; `assumption` returns the assumed device, if any.
 */
export function createComparisons(
  names: NameResolution,
  outcome: (test: Expression, truth: boolean) => Evidence,
  active: Set<Definition | FunctionDef>,
  assumption: () => Assumption | undefined,
): { comparison(test: Compare, truth: boolean): Evidence } {
  const isContradiction = (left: Expression, op: string, right: Expression): boolean => {
    const assumed = assumption();
    return assumed !== undefined && contradicts(assumed, left, op, right);
  };

  const comparison = (test: Compare, truth: boolean): Evidence => {
    let sum: Evidence | undefined;
    let { left } = test;
    test.comparators.forEach((right, index) => {
      const op = test.ops[index] ?? '';
      const one = comparePair(left, truth ? op : (NEGATED[op] ?? ''), right);
      sum = sum ? (truth ? both(sum, one) : either(sum, one)) : one;
      left = right;
    });
    return sum ?? NO_EVIDENCE;
  };

  const comparePair = (left: Expression, op: string, right: Expression): Evidence => {
    if (isLiteral(left) && !isLiteral(right) && op !== 'in' && op !== 'not in')
      return comparePair(right, MIRRORED[op] ?? op, left);
    const named = deviceTest(left, op, right) ?? backendTest(left, op, right);
    if (named) return named;
    if (op === 'in' || op === 'not in') return NO_EVIDENCE;
    if ((op === '>' || op === '>=') && isCount(right) && !isCount(left)) return NO_EVIDENCE;
    if ((op === '<' || op === '<=') && isCount(right)) return comparePair(right, MIRRORED[op] ?? op, left);
    return numberTest(left, op, right) ?? booleanTest(left, op, right) ?? NO_EVIDENCE;
  };

  /** `device.type == "cuda"`, `"cuda" in str(device)`, `device in ("cuda", "mps")`, `device != "cpu"`. */
  const deviceTest = (left: Expression, op: string, right: Expression): Evidence | undefined => {
    if (isContradiction(left, op, right)) return IMPOSSIBLE;
    if (op === 'in' || op === 'not in') {
      const isIn = op === 'in';
      const contained = stringOf(left);
      if (contained !== undefined) {
        if (namesCuda(left)) return isIn ? GUARD : NO_EVIDENCE;
        if (contained === 'cpu') return isIn ? NO_EVIDENCE : GUARD;
        return undefined;
      }
      if (!isDisplay(right)) return undefined;
      const hasCuda = right.elts.some(namesCuda);
      const hasCpu = right.elts.some((item) => stringOf(item) === 'cpu');
      if (hasCuda && !hasCpu) return isIn ? GUARD : NO_EVIDENCE;
      return hasCpu && !isIn ? GUARD : hasCpu || hasCuda ? NO_EVIDENCE : undefined;
    }
    const isDeviceCall = right.kind === 'Call' && names.qualify(right.func).includes('torch.device');
    const named = isDeviceCall ? right.args[0] : right;
    const text = stringOf(named) ?? deviceOfMember(right);
    if (text === undefined) return undefined;
    if (isCudaTensorType(text)) return op === '==' ? GUARD : NO_EVIDENCE;
    if (namesCuda(named) || text === 'cuda') return op === '==' || op === 'is' ? GUARD : NO_EVIDENCE;
    if (text === 'cpu') return op === '!=' || op === 'is not' ? GUARD : NO_EVIDENCE;
    return undefined;
  };

  /** `dist.get_backend() == "nccl"`, `backend != dist.Backend.GLOO`: NCCL only works on GPUs, and Gloo on the CPU. */
  const backendTest = (left: Expression, op: string, right: Expression): Evidence | undefined => {
    if (op === 'in' && backendIn(left) === 'nccl') return isBackend(right) ? GUARD : undefined;
    const backend = isBackend(left) ? backendIn(right) : undefined;
    if (backend === 'nccl') return op === '==' || op === 'is' ? GUARD : NO_EVIDENCE;
    if (backend === 'gloo') return op === '!=' || op === 'is not' ? GUARD : NO_EVIDENCE;
    return undefined;
  };

  /** `device_count() > 1`, `n_gpu > 0`, `args.gpu >= 0`, `args.local_rank != -1`. */
  const numberTest = (left: Expression, op: string, right: Expression): Evidence | undefined => {
    const bound = signedNumberOf(right);
    if (isCount(left)) {
      if (bound === undefined) return op === '>' || op === '>=' || op === '==' ? ENOUGH : NO_EVIDENCE;
      if (op === '>') return atLeast(bound + 1);
      if (op === '>=' || op === '==') return atLeast(bound);
      return op === '!=' && bound === 0 ? GUARD : NO_EVIDENCE;
    }
    const subject = unwrap(left);
    const last = subject ? lastPartOf(subject) : rankOrWorldSizeCall(left);
    if (last === undefined) return undefined;
    if (isWorldSize(last)) return isAtLeastTwo(op, bound) ? DISTRIBUTED : NO_EVIDENCE;
    const excludesOff =
      (isNone(right) && (op === 'is not' || op === '!=')) ||
      (bound !== undefined &&
        (((op === '>' || op === '>=') && bound >= -1) || (op === '!=' && bound <= 0) || (op === '==' && bound >= 0)));
    if (isRank(last) || isDistributedSwitch(last)) return excludesOff ? DISTRIBUTED : NO_EVIDENCE;
    if (switchKind(last) !== 'on') return undefined;
    if (bound === undefined && !isNone(right)) return undefined;
    if (!excludesOff) return NO_EVIDENCE;
    return /s$|^n_?gpu|^num/i.test(last) && bound !== undefined && op !== '!='
      ? atLeast(Math.max(1, op === '>' ? bound + 1 : bound))
      : GUARD;
  };

  /** `use_cuda == True`, `use_cuda is False`, `args.cuda != "no"`. */
  const booleanTest = (left: Expression, op: string, right: Expression): Evidence | undefined => {
    const isEqual = op === '==' || op === 'is';
    if (!isEqual && op !== '!=' && op !== 'is not') return undefined;
    if (right.kind === 'Constant' && right.type === 'bool') return outcome(left, right.value === isEqual);
    if (isNone(right)) return isEqual ? NO_EVIDENCE : outcome(left, true);
    const subject = unwrap(left);
    const kind = switchKind((subject && lastPartOf(subject)) ?? '');
    if (kind !== 'on') return undefined;
    const isOff = /^(|-1|no|none|false|off|0)$/i.test(stringOf(right) ?? '?');
    return isEqual !== isOff ? GUARD : NO_EVIDENCE;
  };

  /** True for a number of GPUs: `torch.cuda.device_count()`, `len(gpus)`, or a name that holds one. */
  const isCount = (expression: Expression): boolean => {
    if (expression.kind === 'NamedExpr') return isCount(expression.value);
    if (expression.kind === 'Call') {
      const qualified = names.qualify(expression.func);
      if (qualified.some((name) => COUNTS.has(name))) return true;
      const [first] = expression.args;
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
    if (expression.kind === 'Call') return listsGpus(expression, names);
    if (expression.kind !== 'Name' && expression.kind !== 'Attribute') return false;
    return names
      .definitionsOf(expression)
      .some(({ kind, value }) => kind === 'value' && value?.kind === 'Call' && isGpuList(value));
  };

  /** The name inside `len(x)`, `int(x)`, `x[0]`. */
  const unwrap = (expression: Expression): Reference | undefined => {
    if (expression.kind === 'Call' && expression.func.kind === 'Name' && TRANSPARENT.has(expression.func.id)) {
      const [first] = expression.args;
      return first && unwrap(first);
    }
    if (expression.kind === 'Subscript' && stringOf(expression.slice) === undefined) return unwrap(expression.value);
    return expression.kind === 'Name' || expression.kind === 'Attribute' || expression.kind === 'Subscript'
      ? expression
      : undefined;
  };

  return { comparison };
}

/** The device named by a member of an enumeration: `cuda` for `DeviceType.CUDA`. */
function deviceOfMember(expression: Expression): string | undefined {
  if (expression.kind !== 'Attribute' || !/^(CUDA|GPU|CPU)$/.test(expression.attr)) return undefined;
  return expression.attr === 'CPU' ? 'cpu' : 'cuda';
}

/** True for `world_size > 1` and `world_size != 1`. */
function isAtLeastTwo(op: string, bound: number | undefined): boolean {
  if (bound === undefined) return false;
  return (op === '>' && bound >= 1) || (op === '>=' && bound >= 2) || (op === '!=' && bound === 1);
}

/** The called function, if its name is a world size or a rank: `get_world_size` for `dist.get_world_size()`. */
function rankOrWorldSizeCall(expression: Expression): string | undefined {
  if (expression.kind !== 'Call') return undefined;
  const name = calledName(expression);
  return isWorldSize(name) || isRank(name) ? name : undefined;
}

/** True for `dist.get_backend()`, `backend`, `args.dist_backend`. */
function isBackend(expression: Expression): boolean {
  if (expression.kind === 'Call') return /backend$/i.test(calledName(expression));
  if (expression.kind !== 'Name' && expression.kind !== 'Attribute' && expression.kind !== 'Subscript') return false;
  return /backend$/i.test(lastPartOf(expression) ?? '');
}

/** The `torch.distributed` backend that an expression names: `"nccl"`, `dist.Backend.NCCL`. */
function backendIn(expression: Expression): string | undefined {
  const text = expression.kind === 'Attribute' ? expression.attr : stringOf(expression);
  return text === undefined || !/^(nccl|gloo)$/i.test(text) ? undefined : text.toLowerCase();
}

/** True for `"cuda"`, `"cuda:1"`, `"gpu"`. */
export function namesCuda(expression: Expression | undefined): boolean {
  return /^(cuda|gpu)(:\d*)?$/i.test(stringOf(expression) ?? '');
}

function isLiteral(expression: Expression): boolean {
  return expression.kind === 'Constant' || expression.kind === 'JoinedStr' || signedNumberOf(expression) !== undefined;
}

function signedNumberOf(expression: Expression): number | undefined {
  if (expression.kind !== 'UnaryOp' || expression.op !== '-') return numberOf(expression);
  const value = numberOf(expression.operand);
  return value === undefined ? undefined : -value;
}
