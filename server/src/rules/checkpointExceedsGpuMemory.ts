import { bytesText } from '../checkpoint/byteSizes.ts';
import type { Program } from '../guards/program.ts';
import type { GpuSize } from '../loading/memoryHere.ts';
import { argumentFor, argumentsOf } from '../python/semantic/arguments.ts';
import { isNone } from '../python/semantic/literals.ts';
import type { Expression } from '../python/syntax/nodes.ts';
import { message, quoted } from './engine/message.ts';
import { on, type Rule } from './engine/rule.ts';
import { deviceValueOf } from './fixes/deviceValue.ts';
import { deviceVariableAt } from './fixes/deviceVariable.ts';
import { usageOf } from './fixes/loadedObject.ts';
import { quotedPath, type Reading, readings } from './queries/readerCalls.ts';

/** GPU505: a checkpoint is loaded onto a GPU with less memory than its tensors need. */
export const checkpointExceedsGpuMemory: Rule = {
  code: 'GPU505',
  name: 'checkpoint-exceeds-gpu-memory',
  summary: 'A checkpoint is larger than the memory of the GPU it is loaded onto.',
  reports: 'a checkpoint that is loaded onto a GPU with less memory than its tensors need',
  severity: 'information',
  isAboutFiles: true,
  listener: on(readings, (reading, { program, known, isTestFile, report }) => {
    const { call } = reading;
    const gpus = known.here?.devices.cuda?.count ? (known.here.gpus ?? []) : [];
    const placement = isTestFile || gpus.length === 0 ? undefined : placementOf(reading, program);
    const gpu = placement && roomiest(placement.index === undefined ? gpus : gpus.slice(placement.index).slice(0, 1));
    const bytes = placement && bytesOf(reading, placement, program);
    if (!gpu || bytes === undefined || bytes <= gpu.total) return;
    report({
      span: { start: call.func.start, end: call.end },
      level: 'flag',
      message: message`Loading ${quoted(quotedPath(reading))} runs out of GPU memory: it needs ${bytesText(bytes)}, but the GPU has only ${bytesText(gpu.total)}.`,
    });
  }),
};

interface Placement {
  /** Undefined if it may be any GPU. */
  readonly index: number | undefined;
  /** True if the program moves the loaded object, and may have made it smaller before. */
  readonly isMoved: boolean;
}

/**
 * Returns the GPU with the most memory; undefined if a GPU is split by MIG, since the part that the program gets is
 * unknown.
 */
function roomiest(gpus: readonly GpuSize[]): GpuSize | undefined {
  if (gpus.some(({ isSplit }) => isSplit)) return undefined;
  return gpus.toSorted((a, b) => b.total - a.total)[0];
}

/** Returns the GPU that receives the file's tensors; undefined if no GPU does, or if it is unknown. */
function placementOf({ args, reader, files, call }: Reading, program: Program): Placement | undefined {
  const { device: parameter, position } = DEVICE_PARAMETERS.get(reader.name) ?? {};
  const { argument, maybe } = argumentFor(args, parameter ?? '', position);
  if (maybe || args.some(({ star }) => star)) return undefined;
  const deviceArgument = parameter === undefined ? undefined : argument?.value;
  if (deviceArgument && !isNone(deviceArgument)) return gpuNamed(deviceArgument, program) ?? movedTo(call, program);
  const saved =
    reader.name === 'torch.load' ? files[0]?.summary.devices?.find((name) => name.startsWith('cuda')) : undefined;
  if (saved !== undefined) return { index: Number(/:(\d+)$/.exec(saved)?.[1] ?? 0), isMoved: false };
  return movedTo(call, program);
}

const DEVICE_PARAMETERS: ReadonlyMap<string, { readonly device: string; readonly position?: number }> = new Map([
  ['torch.load', { device: 'map_location', position: 1 }],
  ['torch.jit.load', { device: 'map_location', position: 1 }],
  ['safetensors.torch.load_file', { device: 'device', position: 1 }],
]);

function gpuNamed(device: Expression, program: Program): Placement | undefined {
  const value = deviceValueOf(device, program);
  if (value?.choice !== 'gpu') return undefined;
  const isNamed = /:\d/.test(program.text.slice(device.start, device.end));
  return { index: isNamed ? value.index : undefined, isMoved: false };
}

/** Returns the GPU that the program moves the whole loaded object to. */
function movedTo(call: Reading['call'], program: Program): Placement | undefined {
  for (const to of usageOf(call, program).movedTo) {
    const literal = /^["']cuda(?::(\d+))?["']$/.exec(to);
    if (literal) return { index: literal[1] === undefined ? undefined : Number(literal[1]), isMoved: true };
    const isVariable = deviceVariableAt(program, call, ({ choice }) => choice === 'gpu')?.text === to;
    if (to === 'cuda' || isVariable) return { index: undefined, isMoved: true };
  }
  return undefined;
}

/** Returns the minimum size of the loaded tensors; undefined if they are made smaller in an unknown way. */
function bytesOf({ args, files, call }: Reading, { isMoved }: Placement, program: Program): number | undefined {
  const names = [...args, ...argumentsOf(call)].flatMap(({ name }) => name ?? []);
  if (names.some((name) => /^(load_in_[48]bit|quantization_config|device_map|subfolder)$/.test(name))) return undefined;
  const isMadeHalf = ['half', 'float16', 'bfloat16'].some((name) => program.index.usesOf(name).length > 0);
  const sizes = files.map(({ summary: { tensors } }) =>
    isMoved && isMadeHalf ? Math.min(tensors.bytes, tensors.parameters * 2) : tensors.bytes,
  );
  return Math.min(...sizes);
}
