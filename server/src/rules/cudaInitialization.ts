/**
 * Detects calls that make CUDA read its environment, after which its visible devices are fixed.
 *
 * Importing a framework does not. `torch.cuda.is_available()` does, since it asks the CUDA runtime for its devices
 * (https://docs.pytorch.org/docs/stable/notes/cuda.html). `torch.cuda.device_count()` may not, since newer versions ask
 * NVML instead, and creating a `torch.device` does not.
 */

import type { Program } from '../guards/program.ts';
import { argumentFor, argumentsOf } from '../python/semantic/arguments.ts';
import { isString, stringOf } from '../python/semantic/literals.ts';
import { isModule } from '../python/semantic/nameResolution.ts';
import type { Call, Expression } from '../python/syntax/nodes.ts';
import { loaders, raisingCalls } from './catalogue/catalogue.ts';

/** Calls that initialize CUDA, besides those in the catalogue that raise without a GPU. */
const INITIALIZING = [
  /^torch\.cuda\.(init|is_bf16_supported|can_device_access_peer|memory_summary|ipc_collect)$/,
  /^tensorflow\.config\.(experimental\.)?(list_physical_devices|list_logical_devices|get_visible_devices|set_visible_devices)$/,
  /^tensorflow\.test\.(is_gpu_available|gpu_device_name)$/,
  /(^|\.)device_lib\.list_local_devices$/,
  /^tensorflow\.(Session|InteractiveSession)$/,
  /^tensorflow\.distribute\.(experimental\.)?(MirroredStrategy|MultiWorkerMirroredStrategy)$/,
  /^jax\.(devices|local_devices|device_count|local_device_count|default_backend|device_put)$/,
];

/** Creating an event does not use the device yet. */
const LAZY = new Set(['torch.cuda.Event']);

const FACTORY =
  /^torch\.(zeros|ones|empty|full|rand|randn|randint|randperm|arange|linspace|logspace|eye|tensor|as_tensor)$/;

/** True for a call after which CUDA has read `CUDA_VISIBLE_DEVICES`, if there is a GPU. */
export function initializesCuda(expression: Expression, program: Program): boolean {
  if (expression.kind !== 'Call') return false;
  const { func } = expression;
  if (func.kind === 'Attribute' && func.attr === 'cuda') return !isModule(program.names, func.value);
  if (func.kind === 'Attribute' && func.attr === 'to' && !isModule(program.names, func.value)) {
    const target = argumentsOf(expression)[0];
    return target !== undefined && !target.star && isCuda(target.value, program);
  }
  return program.names.calleeOf(expression).qualified.some((name) => isInitializing(name, expression, program));
}

function isInitializing(name: string, call: Call, program: Program): boolean {
  if (name === 'torch.cuda.is_available') return !usesNvml(program);
  if (raisingCalls.has(name) && !LAZY.has(name)) return true;
  if (INITIALIZING.some((pattern) => pattern.test(name))) return true;
  const loader = loaders.get(name);
  const parameter = loader?.['device-parameter'] ?? (FACTORY.test(name) ? 'device' : undefined);
  if (parameter === undefined || !/^torch\./.test(name)) return false;
  const { args } = program.names.calleeOf(call);
  const device = argumentFor(args, parameter, loader?.position).argument;
  return device !== undefined && isCuda(device.value, program);
}

/** With this variable, torch looks for GPUs without the CUDA runtime. */
function usesNvml(program: Program): boolean {
  return program.index.stringsOf('PYTORCH_NVML_BASED_CUDA_CHECK').length > 0;
}

/**
 * True for an expression that is always a CUDA device: a literal, or a variable that is only assigned such a literal.
 */
function isCuda(expression: Expression, program: Program): boolean {
  if (isString(expression)) return /^cuda(:\d+)?$/.test(stringOf(expression) ?? '');
  if (expression.kind === 'Call') {
    const [named] = expression.args;
    return (
      named !== undefined && program.names.qualify(expression.func).includes('torch.device') && isCuda(named, program)
    );
  }
  if (expression.kind !== 'Name') return false;
  const definitions = program.names.definitionsOf(expression);
  const [only] = definitions;
  return (
    definitions.length === 1 &&
    only?.kind === 'value' &&
    only.value !== undefined &&
    only.value.kind !== 'Name' &&
    isCuda(only.value, program)
  );
}
