/** The frameworks that can say themselves what they see of a GPU. */
export type RuntimeFramework = 'torch' | 'tensorflow' | 'jax' | 'onnxruntime';

/** What a framework says of itself after it was imported, which files cannot tell. */
export interface FrameworkRuntime {
  version: string;
  /** Whether it can use a GPU of any kind. */
  available: boolean;
  /** The GPUs that it sees, in its own order. */
  devices: RuntimeDevice[];
  /** The GPU code in it, such as "sm_80" and "compute_90"; null where it does not say. */
  architectures: string[] | null;
  /** The CUDA version of the runtime that it uses, such as "12.4". */
  cuda: string | null;
  /** The cuDNN that it has loaded, such as "9.1.0". */
  cudnn: string | null;
  /** The file of that cuDNN. */
  cudnnPath: string | null;
  /** The cuDNN that it was compiled with. */
  cudnnBuilt: string | null;
  /** Its own words on why no GPU can be used or why it could not start; null where all is well. */
  failure: string | null;
}

export interface RuntimeDevice {
  /** Its place in the framework's order: 1 for "cuda:1". */
  index: number;
  name: string;
  api: 'cuda' | 'rocm' | 'mps' | 'xpu' | 'directml';
  uuid: string | null;
  /** Such as "8.6", or "gfx90a" for ROCm. */
  computeCapability: string | null;
  /** MiB. */
  memoryTotal: number | null;
}
