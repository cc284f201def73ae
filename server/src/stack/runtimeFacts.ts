/** The frameworks that can say themselves what they see of a GPU. */
export type RuntimeFramework = 'torch' | 'tensorflow' | 'jax' | 'onnxruntime';

/** What a framework says of itself after it was imported, which files cannot tell. */
export interface FrameworkRuntime {
  version: string;
  /** The GPUs that it sees, in its own order; an empty list: it can use none. */
  devices: RuntimeDevice[];
  /** Its own words on why it sees no GPU, or on what is wrong with one; empty where it gave none. */
  reasons: string[];
  /** The GPU code in it, such as "sm_80" and "compute_90"; empty where it does not say. */
  architectures: string[];
  /** The cuDNN that it has loaded, such as "9.1.0". */
  cudnn: string | null;
  /** Version of the CUDA runtime that it has loaded, such as "12.4". */
  cudaRuntime: string | null;
  /** The CUDA version that the driver says it supports, asked by the framework's own way. */
  cudaDriver: string | null;
  /** Paths of the GPU libraries that it has loaded, where the system tells. */
  libraries: string[];
}

export interface RuntimeDevice {
  kind: 'cuda' | 'rocm' | 'mps' | 'xpu' | 'directml';
  /** As the framework names it: "cuda:1", "GPU:0". */
  device: string;
  name: string;
  /** Such as "8.6", or "gfx90a" for ROCm. */
  capability: string | null;
  /** MiB. */
  memoryTotal: number | null;
}
