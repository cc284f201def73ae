/** What frameworks and CUDA's libraries say when a GPU cannot be used, and what it means. */
export interface GpuFailure {
  /** The verdicts on the stack that may explain it, the most likely first. */
  verdicts: readonly string[];
  /** One sentence. */
  meaning: string;
}

interface KnownFailure extends GpuFailure {
  pattern: RegExp;
}

/**
 * The first that fits counts, so that the precise stand before the general. The texts are those of PyTorch
 * (c10/cuda, torch/cuda, aten/src/ATen/cudnn), of TensorFlow's and JAX's XLA, of ONNX Runtime's CUDA provider, and of
 * CUDA itself (https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html, `cudaGetErrorString`).
 */
export const GPU_FAILURES: readonly KnownFailure[] = [
  {
    pattern:
      /no kernel image is available|with CUDA capability sm_\d+ is not compatible|HIP error: invalid device function/,
    verdicts: ['gpu-newer-than-build', 'gpu-older-than-build'],
    meaning: 'The installed build has no code for this GPU: the GPU is newer or older than the build.',
  },
  {
    pattern:
      /not built with CUDA kernel binaries compatible with compute capability|PTX version \S+ does not support target/,
    verdicts: ['gpu-newer-than-build'],
    meaning: 'The installed build has no finished code for this GPU and has to compile it first.',
  },
  {
    pattern:
      /Found GPU\d+ .+ which is of (?:compute|cuda) capability|Ignoring visible gpu device .* Cuda compute capability/,
    verdicts: ['gpu-older-than-build', 'gpu-newer-than-build'],
    meaning: 'The GPU is of a generation that the installed build was not made for.',
  },
  {
    pattern:
      /driver version is insufficient for CUDA runtime version|NVIDIA driver on your system is too old|cudaErrorInsufficientDriver/,
    verdicts: ['driver-too-old', 'driver-not-running'],
    meaning: 'The NVIDIA driver is too old for the CUDA version of the installed build, or there is none.',
  },
  {
    pattern: /PTX was compiled with an unsupported toolchain/,
    verdicts: ['driver-too-old'],
    meaning: 'The build has code that the NVIDIA driver is too old to compile for this GPU.',
  },
  {
    pattern: /unsupported display driver \/ cuda driver combination|kernel version \S+ does not match DSO version/,
    verdicts: ['driver-library-mismatch', 'wsl-linux-driver'],
    meaning: 'The NVIDIA libraries and the loaded kernel module are of different versions.',
  },
  {
    pattern: /forward compatibility was attempted on non supported HW/,
    verdicts: ['forward-compatibility-on-geforce', 'driver-library-mismatch'],
    meaning: 'A newer CUDA driver library than the kernel module was loaded, which only data-center GPUs allow.',
  },
  {
    pattern: /Torch not compiled with CUDA enabled|a CUDA-enabled jaxlib is not installed/,
    verdicts: ['cpu-only-torch', 'cpu-only-jax'],
    meaning: 'The installed build is for the CPU only.',
  },
  {
    pattern:
      /No CUDA GPUs are available|no CUDA-capable device is detected|CUDA_ERROR_NO_DEVICE|No HIP GPUs are available/,
    verdicts: ['gpus-hidden', 'container-without-gpu', 'visible-device-missing'],
    meaning: 'CUDA sees no GPU: none is there, or an environment variable or a container hides it.',
  },
  {
    pattern:
      /Found no NVIDIA driver|Could not find cuda drivers on your machine|kernel driver does not appear to be running|lib(?:cuda|nvcuda)\.(?:so|dll)\S*: cannot open/,
    verdicts: ['driver-not-running', 'container-without-gpu', 'wsl-without-driver'],
    meaning: 'No NVIDIA driver was found: it is not installed, not loaded, or not passed into this container.',
  },
  {
    pattern:
      /cuDNN version incompatibility|Loaded runtime CuDNN library: .* but source was compiled with|Found cuDNN version \d+, but JAX was built/,
    verdicts: ['cudnn-older-than-build', 'cudnn-shadowed'],
    meaning: 'Another cuDNN than the one that the build was made with was loaded, and it is too old for it.',
  },
  {
    pattern: /cuDNN version \d+ is not compatible with devices with SM/,
    verdicts: ['cudnn-without-gpu'],
    meaning: 'The cuDNN of this build has dropped this generation of GPUs.',
  },
  {
    pattern: /CUDNN_STATUS_SUBLIBRARY_(?:VERSION_MISMATCH|LOADING_FAILED)|Could not load library libcudnn/,
    verdicts: ['cudnn-shadowed', 'nvidia-wheels-overwrite', 'library-path-shadows'],
    meaning: 'The parts of cuDNN that were loaded belong to different installations of it.',
  },
  {
    pattern:
      /out of memory|OutOfMemoryError|OOM when allocating|RESOURCE_EXHAUSTED|CUDA_ERROR_OUT_OF_MEMORY|CUBLAS_STATUS_ALLOC_FAILED/i,
    verdicts: ['gpu-memory-nearly-full'],
    meaning: 'The GPU has too little free memory: other programs hold it.',
  },
  {
    pattern:
      /CUDNN_STATUS_\w+|unable to find an engine to execute this computation|DNN library|Failed to get convolution algorithm/,
    verdicts: ['gpu-memory-nearly-full', 'cudnn-shadowed'],
    meaning: 'cuDNN failed: most often the GPU is full, or several cuDNN installations are mixed.',
  },
  {
    pattern: /devices? (?:is\/are |are )?busy or unavailable/,
    verdicts: [],
    meaning: 'The GPU is in use by another program that has it for itself, or it hangs.',
  },
  {
    pattern: /system not yet initialized/,
    verdicts: [],
    meaning: "The fabric manager of this host's NVSwitch is not running in the version of the driver.",
  },
  {
    pattern: /CUDA unknown error|CUDA_ERROR_UNKNOWN|UNKNOWN ERROR \(\d+\)|CUDA driver initialization failed/,
    verdicts: ['framework-sees-no-gpu'],
    meaning: "CUDA cannot start: often NVIDIA's kernel module nvidia_uvm is broken or missing, which a restart mends.",
  },
  {
    pattern: /TensorFlow GPU support is not available on native Windows/,
    verdicts: ['tensorflow-on-windows'],
    meaning: 'TensorFlow above 2.10 uses no GPU on Windows itself, only in WSL.',
  },
  {
    pattern:
      /Cannot dlopen some GPU libraries|Could not load dynamic library|cannot open shared object file|LoadLibrary failed|Failed to load library \S*onnxruntime_providers/,
    verdicts: ['tensorflow-without-cuda', 'onnxruntime-without-cuda', 'cuda-library-missing'],
    meaning: 'A library of CUDA or cuDNN that the build needs was not found.',
  },
  {
    pattern: /undefined symbol/,
    verdicts: ['library-path-shadows', 'nvidia-wheels-overwrite'],
    meaning: 'Libraries of different versions were mixed, often through LD_LIBRARY_PATH.',
  },
  { pattern: /failed call to cuInit/, verdicts: ['framework-sees-no-gpu'], meaning: 'CUDA cannot start.' },
];

/** What a message of a framework means; undefined where it is not one of those known. */
export function gpuFailureIn(message: string): GpuFailure | undefined {
  const found = GPU_FAILURES.find(({ pattern }) => pattern.test(message));
  return found && { verdicts: found.verdicts, meaning: found.meaning };
}
