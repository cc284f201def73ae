/** The calls with which programs check for GPUs. */
import { keywordOf } from '../python/semantic/arguments.ts';
import { stringOf } from '../python/semantic/literals.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { Call } from '../python/syntax/nodes.ts';

/** Calls that return true only if a GPU is available. */
export const AVAILABLE = new Set([
  'torch.cuda.is_available',
  'torch.cuda.is_initialized',
  'torch.cuda.is_bf16_supported',
  'torch.accelerator.is_available',
  'torch.backends.cudnn.is_available',
  'torch.accelerator.current_accelerator',
  'torch.distributed.is_nccl_available',
  'numba.cuda.is_available',
  'cupy.is_available',
  'cupy.cuda.is_available',
  'tensorflow.test.is_gpu_available',
  'tensorflow.test.gpu_device_name',
]);
/** Calls that count GPUs. */
export const COUNTS = new Set(['torch.cuda.device_count', 'torch.accelerator.device_count']);
/** Calls that list devices of the requested kind. */
const LISTS = /^tensorflow\.config\.(experimental\.)?list_(physical|logical)_devices$/;
/** Calls that return true only in a distributed run. */
export const INITIALIZED = new Set(['torch.distributed.is_initialized', 'torch.distributed.get_world_size']);
/** Calls whose truth equals that of their first argument. */
export const TRANSPARENT = new Set([
  'bool',
  'int',
  'len',
  'any',
  'all',
  'str',
  'list',
  'tuple',
  'enumerate',
  'sorted',
  'set',
]);

/** True for the dotted name of `torch.cuda.FloatTensor` or a related type. */
export const isCudaTensorType = (name: string): boolean => /^torch\.cuda\.\w*Tensor$/.test(name);

/** `tf.config.list_physical_devices("GPU")` */
export function listsGpus(call: Call, names: NameResolution): boolean {
  const kind = call.args[0] ?? keywordOf(call, 'device_type');
  return stringOf(kind) === 'GPU' && names.qualify(call.func).some((name) => LISTS.test(name));
}
