import type { Known, Unknown } from '../facts/facts.ts';
import { environmentVariable, type Machine } from '../machine/machine.ts';
import { readFact } from './readFact.ts';

export const VARIABLES = [
  'CUDA_VISIBLE_DEVICES',
  'CUDA_DEVICE_ORDER',
  'NVIDIA_VISIBLE_DEVICES',
  'NVIDIA_DRIVER_CAPABILITIES',
  'NVIDIA_DISABLE_REQUIRE',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'CUDA_HOME',
  'CUDA_PATH',
  'CUDA_LAUNCH_BLOCKING',
  'CUDA_MODULE_LOADING',
  'CUDA_FORCE_PTX_JIT',
  'CUDA_DISABLE_PTX_JIT',
  'TORCH_CUDA_ARCH_LIST',
  'PYTORCH_ALLOC_CONF',
  'PYTORCH_CUDA_ALLOC_CONF',
  'PYTORCH_NVML_BASED_CUDA_CHECK',
  'PYTORCH_NO_CUDA_MEMORY_CACHING',
  'PYTORCH_SKIP_CUDNN_COMPATIBILITY_CHECK',
  'PYTORCH_ENABLE_MPS_FALLBACK',
  'PYTORCH_MPS_HIGH_WATERMARK_RATIO',
  'PYTORCH_ROCM_ARCH',
  'TORCH_FORCE_WEIGHTS_ONLY_LOAD',
  'TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD',
  'TF_FORCE_GPU_ALLOW_GROWTH',
  'TF_GPU_ALLOCATOR',
  'TF_USE_LEGACY_KERAS',
  'KERAS_BACKEND',
  'KERAS_HOME',
  'JAX_PLATFORMS',
  'JAX_PLATFORM_NAME',
  'XLA_FLAGS',
  'XLA_PYTHON_CLIENT_PREALLOCATE',
  'XLA_PYTHON_CLIENT_MEM_FRACTION',
  'HIP_VISIBLE_DEVICES',
  'ROCR_VISIBLE_DEVICES',
  'HSA_OVERRIDE_GFX_VERSION',
  'ZE_AFFINITY_MASK',
  'ONEAPI_DEVICE_SELECTOR',
  'PYTHONPATH',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
];

/** The relevant variables in this process; a terminal or a kernel may have others. */
export function readVariables(machine: Machine): Promise<Known<Record<string, string>> | Unknown> {
  return readFact(machine, 'environment of this process', async () => {
    const found: Record<string, string> = {};
    for (const name of VARIABLES) {
      const value = environmentVariable(machine, name);
      if (value !== undefined) found[name] = value;
    }
    return found;
  });
}
