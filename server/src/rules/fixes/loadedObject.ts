/** What a program does with what it loaded: that decides which device it may be put on. */
import type { Program } from '../../python/program.ts';
import type { Call, Expression, Node } from '../../python/syntax.ts';

export interface Usage {
  /** Called, trained or asked, or calculated with: it has to be where the other tensors are. */
  readonly computes: boolean;
  /** Sent to a device by the program itself. */
  readonly moves: boolean;
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
const MOVES = new Set(['to', 'cuda', 'cpu']);
const CPU_FUNCTIONS =
  /^torch\.(random\.)?set_rng_state$|^torch\.cuda\.(random\.)?set_rng_state(_all)?$|^torch\.from_numpy$|^numpy\./;
/** Assignments that lead to assignments are followed this far. */
const FARTHEST = 6;

export function usageOf(load: Call, program: Program): Usage {
  const usage = { computes: false, moves: false, needsCpu: false };
  const seen = new Set<Node>();
  const follow = (value: Expression, isWhole: boolean, steps: number): void => {
    const around = value.parent;
    if (!around || seen.has(value) || steps > FARTHEST) return;
    seen.add(value);
    switch (around.kind) {
      case 'Call':
        // The object itself is called.
        if (around.func === value) usage.computes ||= isWhole;
        return;
      case 'BinOp':
      case 'UnaryOp':
        usage.computes = true;
        return;
      case 'Argument': {
        const call = around.parent;
        if (call?.kind === 'Call' && program.names.qualify(call.func).some((name) => CPU_FUNCTIONS.test(name)))
          usage.needsCpu = true;
        return;
      }
      case 'Attribute': {
        const call = around.parent?.kind === 'Call' && around.parent.func === around ? around.parent : undefined;
        if (!call) return follow(around, isWhole, steps + 1);
        if (around.attr === 'numpy') usage.needsCpu = true;
        else if (MOVES.has(around.attr)) usage.moves ||= isWhole;
        else if (MODEL_METHODS.has(around.attr)) usage.computes ||= isWhole;
        if (FLUENT.has(around.attr)) follow(call, isWhole, steps + 1);
        else if (around.attr === 'get' || around.attr === 'pop') follow(call, false, steps + 1);
        return;
      }
      case 'Subscript':
        if (around.value === value) follow(around, false, steps + 1);
        return;
      case 'Assign':
        if (around.value === value)
          for (const use of usesOf(around.targets, around, program)) follow(use, isWhole, steps + 1);
        return;
      default:
        return;
    }
  };
  follow(load, true, 0);
  return usage;
}

/** The uses of the variable that the result of a call is assigned to; the call itself where it is not assigned. */
export function usesOfResult(program: Program, call: Call): Expression[] {
  const around = call.parent;
  return around?.kind === 'Assign' && around.value === call ? usesOf(around.targets, around, program) : [call];
}

/** The uses of what an assignment binds. */
function usesOf(targets: readonly Expression[], statement: Node, program: Program): Expression[] {
  return targets.flatMap((target) => {
    if (target.kind !== 'Name' && target.kind !== 'Attribute') return [];
    const name = target.kind === 'Name' ? target.id : target.attr;
    return program.flow
      .usesOf(name)
      .filter(
        (use) =>
          use.kind === target.kind &&
          program.names.definitionsOf(use).some((definition) => definition.node === statement),
      );
  });
}

/** True for a program that puts something on a GPU where there is one. */
export function usesGpu(program: Program): boolean {
  return (
    program.flow.usesOf('cuda').length > 0 ||
    program.flow.strings.some((string) => /^cuda(:\d+)?$/.test(string.value ?? ''))
  );
}
