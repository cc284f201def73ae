/** How a program uses an object that it loads, which decides which devices the object may be on. */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { isDisplay, isNone, isNumber, isString, stringOf } from '../../python/semantic/literals.ts';
import type { Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { usesBound } from '../queries/definedUses.ts';
import { usesOfLoaded } from '../queries/loadedValue.ts';
import { deviceOfSaved } from '../queries/savedDevice.ts';

export interface Usage {
  /** True for a model that is called, trained or queried, and must be on the device of its inputs. */
  readonly runs: boolean;
  /** True if it is an operand and must be on the device of the other operands. */
  readonly calculates: boolean;
  /** The inputs of the model, and other operands. */
  readonly beside: readonly Expression[];
  /** True if `load_state_dict` copies it into a model or an optimizer, which works from any device. */
  readonly isCopied: boolean;
  /** The devices that the program moves it to, as text; `cuda` and `cpu` for the methods of that name. */
  readonly movedTo: readonly string[];
  /** True if parts of it must be in main memory: `.numpy()`, random states. */
  readonly needsCpu: boolean;
  /** True if it is stored in a container, whose uses are unknown. */
  readonly isStored: boolean;
  /** True if it becomes half precision, in which the CPU of many releases computes nothing. */
  readonly isHalved: boolean;
}

const MODEL_METHODS = /^(eval|train|parameters|generate|forward|predict|encode|zero_grad|named_parameters|modules)$/;
const MOVES = /^(to|cuda|cpu)$/;
/** Functions and methods that copy tensors to the device of the model, optimizer or tensor that receives them. */
const COPIES = /^(load|set)_\w*state_dict$|^load_lora_weights$|^copy_$/;
const CPU_FUNCTIONS =
  /^torch\.(random\.)?set_rng_state$|^torch\.cuda\.(random\.)?set_rng_state(_all)?$|^torch\.from_numpy$|^numpy\./;
/** Methods of tensors that compute with another one. */
const IN_PLACE =
  /^(add|sub|mul|div|lerp|addcmul|addcdiv|matmul|mm|bmm|dot|eq|ne|lt|le|gt|ge|equal|allclose|isclose|where|masked_fill)_?$/;

/** Returns how a program uses what a call loads. */
export function usageOf(load: Call, program: Program): Usage {
  const usage = { runs: false, calculates: false, isCopied: false, needsCpu: false, isStored: false, isHalved: false };
  const beside: Expression[] = [];
  const movedTo: string[] = [];
  const runs = (inputs: readonly Expression[]) => {
    usage.runs = true;
    beside.push(...inputs);
  };
  const calculates = (operands: readonly Expression[]) => {
    usage.calculates = true;
    beside.push(...operands);
  };
  for (const { role, node, value, part } of usesOfLoaded(load, program)) {
    const isWhole = part === 'whole';
    usage.needsCpu ||= role === 'arrays';
    // `ckpt["epoch"] + 1` is bookkeeping.
    const isBookkeeping = (other: Expression) => isString(other) || isNone(other) || (!isWhole && isNumber(other));
    switch (node.kind) {
      case 'Call': {
        const operands = operandsOf(node, value);
        if (node.func === value) runs(node.args);
        else if (program.names.qualify(node.func).some((name) => CPU_FUNCTIONS.test(name))) usage.needsCpu = true;
        else if (COPIES.test(calledName(node))) usage.isCopied = true;
        else if (isCalculation(node, program) || operands.some((each) => deviceOfSaved(each, program) === 'gpu'))
          calculates(operands);
        break;
      }
      case 'BinOp': {
        const other = node.left === value ? node.right : node.left;
        if (!isBookkeeping(other)) calculates([other]);
        break;
      }
      case 'Compare': {
        const others = [node.left, ...node.comparators].filter((each) => each !== value);
        if (node.ops.every((op) => /^[<>=!]/.test(op)) && !others.every(isBookkeeping)) calculates(others);
        break;
      }
      case 'AugAssign':
        calculates([node.target === value ? node.value : node.target]);
        break;
      case 'Subscript':
        usage.isStored ||= node.parent?.kind === 'Assign' && node.parent.targets.includes(node);
        break;
      case 'UnaryOp':
        calculates([]);
        break;
      case 'Attribute': {
        const { attr, parent } = node;
        const args = parent?.kind === 'Call' && parent.func === node ? parent.args : undefined;
        const [first] = args ?? [];
        // The program goes on as the value's device decides.
        if (attr === 'is_cuda') calculates([]);
        if (!args) break;
        usage.isHalved ||= attr === 'half';
        usage.needsCpu ||= attr === 'numpy';
        if (isWhole && MOVES.test(attr))
          movedTo.push(attr === 'to' && first ? program.text.slice(first.start, first.end) : attr);
        else if (MODEL_METHODS.test(attr)) runs(args);
        // `weight.add_(step)`, `mask.eq(other)`
        else if (isWhole && first && IN_PLACE.test(attr)) calculates(args);
        break;
      }
    }
  }
  return { ...usage, beside, movedTo };
}

/** Returns the model in a call and the other arguments, with the items of lists. */
function operandsOf(call: Call, value: Expression): Expression[] {
  const others = call.args.flatMap((arg) => (isDisplay(arg) ? arg.elts : [arg]));
  return [call.func, ...others].filter((each) => each.start !== value.start && !isNumber(each));
}

/** Functions of torch that do not compute with their arguments. */
const KEEPS = /^torch\.(save|load|is_tensor|manual_seed|device|numel|compile|no_grad|typename)$/;

/** Makes a weight of a module, whose inputs must be on the same device. */
const PARAMETER = /^torch\.nn\.(parameter\.)?Parameter$/;

/** True for a torch operation, and for a call of an object that the program created: a model, a loss. */
function isCalculation({ func }: Call, program: Program): boolean {
  if (
    program.names
      .qualify(func)
      .some(
        (name) =>
          PARAMETER.test(name) ||
          (!KEEPS.test(name) && /^torch\.(nn\.functional\.|special\.|linalg\.|fft\.)?[a-z0-9_]+$/.test(name)),
      )
  )
    return true;
  if (func.kind !== 'Name' && func.kind !== 'Attribute') return false;
  return program.names.definitionsOf(func).some(({ kind, value }) => kind === 'value' && value?.kind === 'Call');
}

/** Returns the uses of the variable that receives the result of a call; the call itself if it is not assigned. */
export function usesOfResult(program: Program, call: Call): Expression[] {
  const around = call.parent;
  if (around?.kind === 'Assign') return usesOf(around.targets, around, program);
  return around?.kind === 'AnnAssign' ? usesOf([around.target], around, program) : [call];
}

/** Returns the uses of the names that an assignment binds. */
function usesOf(targets: readonly Expression[], statement: Node, program: Program): Expression[] {
  return targets.flatMap((target) => usesBound(target, statement, program));
}

/** True for a program that uses a GPU if available. */
export function usesGpu(program: Program): boolean {
  return (
    program.index.usesOf('cuda').length > 0 ||
    program.index.strings.some((string) => /^cuda(:\d+)?$/.test(stringOf(string) ?? ''))
  );
}
