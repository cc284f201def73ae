/** Calls and types that need CUDA: `.cuda()`, `torch.cuda.synchronize()`, `torch.cuda.FloatTensor`. */
import { isCudaTensorType } from '../../guards/availability.ts';
import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { isDisplay, isNumber, isString, type StringLiteral, stringOf } from '../../python/semantic/literals.ts';
import { isModule } from '../../python/semantic/nameResolution.ts';
import type { Use } from '../../python/semantic/programIndex.ts';
import type { Call, Expression, Node } from '../../python/syntax/nodes.ts';
import { type RaisingCall, raisingCalls } from '../catalogue/catalogue.ts';
import { GAP } from '../engine/code.ts';
import { matchesIn } from '../engine/dispatch.ts';
import { lastParts, type Selector, type Triggers } from '../engine/selector.ts';
import { CUDA_WORD } from './deviceTriggers.ts';

interface CudaCall {
  readonly call: Call;
  /** `model.cuda()` */
  readonly isMethod?: true;
  /** The name of a type, as in `x.type("torch.cuda.FloatTensor")`. */
  readonly type?: StringLiteral;
  readonly raising?: RaisingCall;
}

/** Matches other things that are named `cuda`: `torch.version.cuda`, `def cuda`, `getattr(torch, name, torch.cuda)`. */
const OTHER = String.raw`(?:\b(?:version|backends)\.|\bdef[^\S\n]+|\bgetattr\([\w.]+,\s*[\w.]+(?:\(\))?,\s*torch\.(?=cuda\)))cuda`;
/** Matches `torch.cuda` by itself, `.cuda()`, `"cuda"` as a device, and the relevant members of `torch.cuda`. */
const CUDA_TRIGGERS: Triggers = {
  patterns: [
    new RegExp(String.raw`${CUDA_WORD}\b(?<!${OTHER})(?!\s*\.)`),
    new RegExp(String.raw`\bcuda\s*\.${GAP}(?:\w*Tensor|${[...lastParts(raisingCalls.keys())].join('|')})\b`),
  ],
};

export const cudaCalls: Selector<CudaCall> = {
  calls: {
    names: lastParts(['cuda', 'type', 'set_default_tensor_type', ...raisingCalls.keys()]),
    resolve: cudaCallOf,
  },
  triggers: CUDA_TRIGGERS,
};

/** `torch.cuda.FloatTensor`, including if it is imported. */
export const cudaTypes: Selector<Use> = {
  uses: {
    isWanted: (name) => name.endsWith('Tensor'),
    resolve: (use, program) => (!isInspected(use) && isCudaType(use, program) ? [use] : []),
  },
  triggers: CUDA_TRIGGERS,
};

/** Returns the expressions that move something to CUDA, apart from device names, guarded or not. */
export const movesToCuda = (program: Program): readonly Expression[] => [
  ...matchesIn(program, cudaCalls)
    .filter(({ raising }) => !raising)
    .map(({ call }) => call),
  ...matchesIn(program, cudaTypes),
];

function cudaCallOf(call: Call, program: Program): CudaCall[] {
  if (isCudaMethod(call, program)) return [{ call, isMethod: true }];
  const [first] = call.args;
  const isType = isString(first) && isCudaTensorType(stringOf(first) ?? '') && takesTypeName(call);
  const raising = program.names
    .calleeOf(call)
    .qualified.map((name) => raisingCalls.get(name))
    .find((found) => found);
  // Another rule reports indices.
  const isIndex = raising?.name === 'torch.cuda.set_device' && isNumber(first);
  if (!isType && (!raising || isIndex)) return [];
  return [{ call, ...(isType && { type: first }), ...(!isIndex && raising && { raising }) }];
}

function isCudaMethod(call: Call, program: Program): boolean {
  if (call.func.kind !== 'Attribute' || call.func.attr !== 'cuda') return false;
  const receiver = call.func.value;
  if (program.names.qualify(call.func).includes('torch.cuda') || holdsNoTensors(receiver, program)) return false;
  return !(receiver.kind === 'Name' && isModule(program.names, receiver));
}

/** True for the attribute of `torch.cuda`, or for a name that is imported from there and has no other meaning. */
function isCudaType(use: Use, { names }: Program): boolean {
  if (use.kind === 'Attribute') return names.qualify(use.value).includes('torch.cuda');
  const definitions = names.definitionsOf(use);
  return (
    definitions.length > 0 &&
    definitions.every(({ kind, qualified }) => kind === 'import' && isCudaTensorType(qualified ?? ''))
  );
}

function takesTypeName(call: Call): boolean {
  const name = calledName(call);
  return name === 'type' || name === 'set_default_tensor_type';
}

/** A type in a comparison, in `isinstance` or in an annotation is not used. */
function isInspected(use: Use): boolean {
  for (let inner: Node = use, at = use.parent; at; inner = at, at = at.parent) {
    if (at.kind === 'Compare') return true;
    if (at.kind === 'Dict') return at.keys.some((key) => key === inner);
    if (at.kind === 'Call')
      return at.func.kind === 'Name' && (at.func.id === 'isinstance' || at.func.id === 'issubclass');
    if (at.kind === 'arg') return at.annotation === inner;
    if (at.kind === 'AnnAssign') return at.annotation === inner;
    if (at.kind === 'FunctionDef') return at.returns === inner;
    if (!isDisplay(at) && at.kind !== 'keyword' && at.kind !== 'Subscript') return false;
  }
  return false;
}

/** Modules without parameters, and without buffers unless a weight is given: `nn.NLLLoss()`, `nn.ReLU()`. */
const EMPTY_MODULE =
  /^torch\.nn\.(modules\.\w+\.)?(\w*Loss\d*d?|ReLU6?|LeakyReLU|ELU|GELU|SiLU|Sigmoid|Tanh|Softplus|(Log)?Softmax|Softmin|Dropout\d*d?|Identity|Flatten|(Max|Avg|AdaptiveAvg|AdaptiveMax)Pool\dd|Upsample|PixelShuffle|CosineSimilarity|PairwiseDistance)$/;

/** True for a module that moves nothing, such as a loss without weights. */
function holdsNoTensors(receiver: Expression, program: Program): boolean {
  if (receiver.kind === 'Name' || receiver.kind === 'Attribute') {
    const values = program.names
      .definitionsOf(receiver)
      .map(({ kind, value }) => (kind === 'value' ? value : undefined));
    return values.length > 0 && values.every((value) => value?.kind === 'Call' && isEmptyModule(value, program));
  }
  return receiver.kind === 'Call' && isEmptyModule(receiver, program);
}

function isEmptyModule({ func, args, keywords }: Call, program: Program): boolean {
  const holdsTensor = args.length > 0 || keywords.some(({ arg }) => arg === undefined || /weight/.test(arg));
  const names = program.names.qualify(func);
  const isLoss = names.some((name) => name.endsWith('Loss'));
  return names.some((name) => EMPTY_MODULE.test(name)) && !(isLoss && holdsTensor);
}
