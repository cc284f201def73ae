/** Choices between CUDA and the CPU that ignore other GPUs. */

import type { Program } from '../../guards/program.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Call, Expression, If, IfExp, Node, Statement } from '../../python/syntax/nodes.ts';
import type { Selector } from '../engine/selector.ts';
import { CUDA_WORD } from './deviceTriggers.ts';

/** A device that is CUDA if PyTorch finds it, and otherwise the CPU. */
export interface CudaOnlyChoice {
  /** `"cuda"`, or a `torch.device` for it. */
  readonly cuda: Expression;
  /** The same for the CPU. */
  readonly cpu: Expression;
  /** The conditional expression; undefined for an `if` statement with an assignment in each branch. */
  readonly expression?: IfExp;
  /** The call of `torch.cuda.is_available`, if it is the whole condition. */
  readonly test?: Call;
}

/** Choices between CUDA and the CPU, in programs that mention no other kind of GPU. */
export const cudaOnlyChoices: Selector<CudaOnlyChoice> = {
  strings: {
    values: new Set(['cuda', 'cuda:0']),
    resolve(string, program) {
      const cuda = deviceAround(string, program);
      const choice = cuda.parent?.kind === 'IfExp' ? ofExpression(cuda, cuda.parent, program) : ofIf(cuda, program);
      return choice && !mentionsOtherGpus(program) ? [choice] : [];
    },
  },
  triggers: { patterns: [new RegExp(`["']${CUDA_WORD}(?::0)?["']`)] },
};

/** Returns `torch.device("cuda")` around the string, or the string. */
function deviceAround(string: Expression, { names }: Program): Expression {
  const around = string.parent;
  return around?.kind === 'Call' &&
    around.args.length === 1 &&
    around.args[0] === string &&
    around.keywords.length === 0 &&
    names.qualify(around.func).includes('torch.device')
    ? around
    : string;
}

function ofExpression(cuda: Expression, around: IfExp, program: Program): CudaOnlyChoice | undefined {
  // A choice between more than these two is a chain.
  if (around.parent?.kind === 'IfExp' && around.parent.test !== around) return undefined;
  const isFirst = around.body === cuda;
  const cpu = isFirst ? around.orelse : around.body;
  if ((!isFirst && around.orelse !== cuda) || !isDevice(cpu, /^cpu$/, program)) return undefined;
  const found = availability(around.test, isFirst, program);
  if (!found) return undefined;
  return { cuda, cpu, expression: around, ...(isFirst && found === around.test && { test: found }) };
}

/** `if torch.cuda.is_available(): device = "cuda"` with `else: device = "cpu"` */
function ofIf(cuda: Expression, program: Program): CudaOnlyChoice | undefined {
  const statement = cuda.parent;
  const around = statement?.parent;
  if (statement?.kind !== 'Assign' || statement.value !== cuda || around?.kind !== 'If' || isElif(around))
    return undefined;
  const [body, orelse] = [onlyAssignment(around.body), onlyAssignment(around.orelse)];
  if (!body || !orelse || program.text.slice(body.target.start, body.target.end) !== textOf(orelse.target, program))
    return undefined;
  const isFirst = body.value === cuda;
  const cpu = isFirst ? orelse.value : body.value;
  if ((!isFirst && orelse.value !== cuda) || !isDevice(cpu, /^cpu$/, program)) return undefined;
  return availability(around.test, isFirst, program) && { cuda, cpu };
}

const isElif = ({ parent, start }: If): boolean =>
  parent?.kind === 'If' && parent.orelse.some((each) => each.start === start);

const textOf = ({ start, end }: Node, { text }: Program): string => text.slice(start, end);

function onlyAssignment(block: readonly Statement[]): { target: Expression; value: Expression } | undefined {
  const [only, other] = block;
  if (only?.kind !== 'Assign' || other) return undefined;
  const [target, more] = only.targets;
  return target && !more ? { target, value: only.value } : undefined;
}

const isDevice = (node: Expression, wanted: RegExp, { names }: Program): boolean =>
  node.kind === 'Call'
    ? node.args.length === 1 &&
      node.keywords.length === 0 &&
      wanted.test(stringOf(node.args[0]) ?? '') &&
      names.qualify(node.func).includes('torch.device')
    : wanted.test(stringOf(node) ?? '');

/** Returns the call of `torch.cuda.is_available` that must be true for a test to have this outcome. */
function availability(test: Expression, truth: boolean, program: Program, steps = 0): Call | undefined {
  if (steps > 5) return undefined;
  switch (test.kind) {
    case 'Call':
      return truth && program.names.qualify(test.func).includes('torch.cuda.is_available') ? test : undefined;
    case 'UnaryOp':
      return test.op === 'not' ? availability(test.operand, !truth, program, steps + 1) : undefined;
    case 'BoolOp': {
      if ((test.op === 'and') !== truth) return undefined;
      for (const value of test.values) {
        const found = availability(value, truth, program, steps + 1);
        if (found) return found;
      }
      return undefined;
    }
    case 'Name':
    case 'Attribute': {
      const [only, other] = program.names.definitionsOf(test);
      return only?.kind === 'value' && only.value && !other
        ? availability(only.value, truth, program, steps + 1)
        : undefined;
    }
    default:
      return undefined;
  }
}

const OTHERS =
  /\b(mps|xpu|hpu|npu|torch_npu|torch_xla|xla_device|directml|torch_directml|intel_extension_for_pytorch|ipex)\b|\.accelerator\b/;

/** True for a program that mentions another kind of GPU or asks PyTorch for any accelerator. */
const mentionsOtherGpus = memoize(({ text }: Program): boolean => OTHERS.test(text));
