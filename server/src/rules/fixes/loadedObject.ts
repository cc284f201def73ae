/** What a program does with what it loaded: that decides which device it may be put on. */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { callTaking } from '../../python/semantic/arguments.ts';
import { isDisplay, isNumber, isString, stringOf } from '../../python/semantic/literals.ts';
import type { Attribute, Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { usesBound } from '../queries/definedUses.ts';

export interface Usage {
  /** Called, trained or asked: a model, which has to be where its inputs are. */
  readonly runs: boolean;
  /** Calculated with: it has to be where the other operands are. */
  readonly calculates: boolean;
  /** Inputs of the model, and other operands. */
  readonly beside: readonly Expression[];
  /** Copied into a model or an optimizer, wherever that is: by `load_state_dict`. */
  readonly isCopied: boolean;
  /** The devices that the program moves it to, as written; `cuda` and `cpu` for the methods of that name. */
  readonly movedTo: readonly string[];
  /** True where the program moves parts of it. */
  readonly hasMovedParts: boolean;
  /** Parts of it have to be in main memory: `.numpy()`, random states. */
  readonly needsCpu: boolean;
}

const MODEL_METHODS = new Set([
  'eval',
  'train',
  'parameters',
  'generate',
  'forward',
  'predict',
  'encode',
  'zero_grad',
  'named_parameters',
  'modules',
]);
/** Methods that return the object itself, or a copy in the same place. */
const FLUENT = new Set([
  'eval',
  'train',
  'float',
  'half',
  'double',
  'bfloat16',
  'requires_grad_',
  'detach',
  'clone',
  'contiguous',
]);
/** Methods that return parts of it. */
const PARTS = new Set(['get', 'pop', 'items', 'values']);
const MOVES = new Set(['to', 'cuda', 'cpu']);
/** Functions and methods that copy tensors to wherever the model, the optimizer or the tensor is that gets them. */
const COPIES = /^(load|set)_\w*state_dict$|^load_lora_weights$|^copy_$/;
const CPU_FUNCTIONS =
  /^torch\.(random\.)?set_rng_state$|^torch\.cuda\.(random\.)?set_rng_state(_all)?$|^torch\.from_numpy$|^numpy\./;
/** Assignments that lead to assignments are followed this far. */
const FARTHEST = 6;

export function usageOf(load: Call, program: Program): Usage {
  const usage = { runs: false, calculates: false, isCopied: false, hasMovedParts: false, needsCpu: false };
  const beside: Expression[] = [];
  const movedTo: string[] = [];
  const seen = new Set<Node>();

  const follow = (value: Expression, isWhole: boolean, steps: number): void => {
    const around = value.parent;
    if (!around || seen.has(value) || steps > FARTHEST) return;
    seen.add(value);
    const on = (next: Expression, stillWhole = isWhole) => follow(next, stillWhole, steps + 1);
    const bind = (target: Expression, statement: Node, stillWhole = isWhole) => {
      for (const use of usesOf([target], statement, program)) on(use, stillWhole);
    };
    switch (around.kind) {
      case 'Call':
        // The object itself is called.
        if (around.func === value) {
          usage.runs = true;
          beside.push(...around.args);
        } else takenBy(around, value);
        return;
      case 'keyword':
      case 'Starred': {
        const call = callTaking(value);
        if (call) takenBy(call, value);
        return;
      }
      case 'BinOp': {
        const other = around.left === value ? around.right : around.left;
        // `ckpt["epoch"] + 1` is bookkeeping.
        if (isString(other) || (!isWhole && isNumber(other))) return;
        usage.calculates = true;
        beside.push(other);
        return;
      }
      case 'UnaryOp':
        usage.calculates ||= around.op !== 'not';
        return;
      case 'IfExp':
        if (around.test !== value) on(around);
        return;
      case 'Attribute':
        return followAttribute(around, isWhole, on);
      case 'Subscript':
        if (around.value === value) on(around, false);
        return;
      case 'NamedExpr':
        on(around);
        return bind(around.target, around);
      case 'For':
        if (around.iter === value) bind(around.target, around, false);
        return;
      case 'AnnAssign':
        if (around.value === value) bind(around.target, around);
        return;
      case 'Assign':
        if (around.value === value)
          for (const target of around.targets) bind(target, around, isWhole && !isDisplay(target));
        return;
      case 'Tuple':
      case 'List':
      case 'Set': {
        const statement = around.parent;
        const [target] = statement?.kind === 'Assign' && statement.value === around ? statement.targets : [];
        const own = isDisplay(target) ? target.elts[around.elts.indexOf(value)] : undefined;
        if (own && statement) bind(own, statement);
        // `torch.cat([x, torch.load(p)])`
        const call = callTaking(around);
        if (call && isCalculation(call, program)) takenBy(call, around);
        return;
      }
      default:
        return;
    }
  };

  const takenBy = (call: Call, value: Expression): void => {
    if (program.names.qualify(call.func).some((name) => CPU_FUNCTIONS.test(name))) usage.needsCpu = true;
    else if (COPIES.test(calledName(call))) usage.isCopied = true;
    else if (isCalculation(call, program)) {
      usage.calculates = true;
      beside.push(...operandsOf(call, value));
    }
  };

  const followAttribute = (
    attribute: Attribute,
    isWhole: boolean,
    on: (next: Expression, stillWhole?: boolean) => void,
  ): void => {
    const call =
      attribute.parent?.kind === 'Call' && attribute.parent.func === attribute ? attribute.parent : undefined;
    if (!call) return on(attribute);
    if (attribute.attr === 'numpy') usage.needsCpu = true;
    else if (MOVES.has(attribute.attr)) {
      const [device] = call.args;
      const text = attribute.attr === 'to' && device ? program.text.slice(device.start, device.end) : attribute.attr;
      if (isWhole) movedTo.push(text);
      else usage.hasMovedParts = true;
    } else if (MODEL_METHODS.has(attribute.attr)) {
      usage.runs = true;
      beside.push(...call.args);
    }
    if (FLUENT.has(attribute.attr)) on(call);
    else if (PARTS.has(attribute.attr)) on(call, false);
  };

  follow(load, true, 0);
  return { ...usage, beside, movedTo };
}

/** True for what is copied into a model or an optimizer and used for nothing else that has to be on a device. */
export function isCopiedOnly(load: Call, program: Program): boolean {
  const { isCopied, runs, calculates, movedTo, hasMovedParts } = usageOf(load, program);
  return !runs && !calculates && (isCopied || hasMovedParts || movedTo.length > 0);
}

/** True for a model that runs where it was loaded to. */
export function isRunAsLoaded(load: Call, program: Program): boolean {
  const { runs, calculates, movedTo } = usageOf(load, program);
  return (runs || calculates) && movedTo.length === 0;
}

/** The model that calculates, and the other arguments, those in lists by themselves. */
function operandsOf(call: Call, value: Expression): Expression[] {
  const others = call.args.flatMap((arg) => (isDisplay(arg) ? arg.elts : [arg]));
  return [call.func, ...others].filter((each) => each.start !== value.start && !isNumber(each));
}

/** Functions of torch that calculate nothing with what they get. */
const KEEPS = /^torch\.(save|load|is_tensor|manual_seed|device|numel|compile|no_grad|typename)$/;

/** True for an operation of torch, and for a call of an object that the program made: a model, a loss. */
function isCalculation({ func }: Call, program: Program): boolean {
  if (
    program.names
      .qualify(func)
      .some((name) => !KEEPS.test(name) && /^torch\.(nn\.functional\.|special\.|linalg\.|fft\.)?[a-z0-9_]+$/.test(name))
  )
    return true;
  if (func.kind !== 'Name' && func.kind !== 'Attribute') return false;
  return program.names.definitionsOf(func).some(({ kind, value }) => kind === 'value' && value?.kind === 'Call');
}

/** The uses of the variable that the result of a call is assigned to; the call itself where it is not assigned. */
export function usesOfResult(program: Program, call: Call): Expression[] {
  const around = call.parent;
  if (around?.kind === 'Assign') return usesOf(around.targets, around, program);
  return around?.kind === 'AnnAssign' ? usesOf([around.target], around, program) : [call];
}

/** The uses of what an assignment binds. */
function usesOf(targets: readonly Expression[], statement: Node, program: Program): Expression[] {
  return targets.flatMap((target) => usesBound(target, statement, program));
}

/** True for a program that puts something on a GPU where there is one. */
export function usesGpu(program: Program): boolean {
  return (
    program.index.usesOf('cuda').length > 0 ||
    program.index.strings.some((string) => /^cuda(:\d+)?$/.test(stringOf(string) ?? ''))
  );
}
