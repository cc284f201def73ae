/**
 * An error that `errors.py` provokes, with the catalogue message that explains it and, if the text determines it, the
 * cause.
 */
export interface GpuError {
  readonly name: string;
  readonly message: string;
  readonly cause?: string;
}

export const ERRORS: readonly GpuError[] = [
  { name: 'invalid_device_ordinal', message: 'invalid-device-ordinal' },
  { name: 'out_of_memory', message: 'torch-out-of-memory' },
  { name: 'mixed_devices', message: 'tensors-on-two-devices' },
  { name: 'mixed_devices_in_layer', message: 'tensors-on-two-devices' },
  { name: 'convolution_input_on_cpu', message: 'tensors-on-two-devices' },
  { name: 'device_side_assert', message: 'device-side-assert' },
  { name: 'half_on_cpu', message: 'half-on-cpu' },
  { name: 'half_and_float', message: 'types-differ' },
  { name: 'numpy_of_cuda', message: 'gpu-tensor-to-numpy' },
  { name: 'generator_of_cpu', message: 'generator-device' },
  { name: 'pinned_cuda', message: 'pinning-gpu-tensor' },
  { name: 'fork_after_cuda', message: 'cuda-in-forked-process' },
  { name: 'hidden_gpus', message: 'no-cuda-gpus' },
  { name: 'checkpoint_without_gpu', message: 'checkpoint-of-missing-device' },
  { name: 'checkpoint_of_other_gpu', message: 'checkpoint-of-missing-index' },
  { name: 'no_kernel_image', message: 'no-kernel-image' },
  { name: 'illegal_memory_access', message: 'illegal-memory-access' },
  { name: 'two_ranks_on_one_gpu', message: 'nccl-duplicate-gpu' },
  { name: 'triton_shared_memory', message: 'too-many-resources' },
];
