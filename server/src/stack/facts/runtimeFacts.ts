/** The frameworks that can report the GPUs they see. */
export type RuntimeFramework = 'torch' | 'tensorflow' | 'jax' | 'onnxruntime';

/** A framework's report about itself after import, which files cannot show. */
export interface FrameworkRuntime {
  version: string;
  /** True if it can use a GPU of any kind. */
  available: boolean;
  /** The GPUs that it sees, in its own order. */
  devices: RuntimeDevice[];
  /** Its GPU architectures, such as "sm_80" and "compute_90"; null if not reported. */
  architectures: string[] | null;
  /** The CUDA version of the runtime that it uses, such as "12.4". */
  cuda: string | null;
  /** The cuDNN that it loaded, such as "9.1.0". */
  cudnn: string | null;
  /** The file of that cuDNN. */
  cudnnPath: string | null;
  /** The cuDNN that it was compiled with. */
  cudnnBuilt: string | null;
  /** Its own explanation of why no GPU can be used or why it could not start; null if there is no problem. */
  failure: string | null;
}

export interface RuntimeDevice {
  /** Its position in the framework's order: 1 for "cuda:1". */
  index: number;
  name: string;
  api: 'cuda' | 'rocm' | 'mps' | 'xpu' | 'directml';
  uuid: string | null;
  /** Such as "8.6", or "gfx90a" for ROCm. */
  computeCapability: string | null;
  /** MiB. */
  memoryTotal: number | null;
}
