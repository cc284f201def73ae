/** Versions that NVIDIA's libraries report as one number. */

/** 12040 is CUDA 12.4 (https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART____VERSION.html). */
export function cudaOfNumber(number: number): string {
  return `${Math.floor(number / 1000)}.${Math.floor((number % 1000) / 10)}`;
}

/** 8902 is cuDNN 8.9.2, and from 9 on 90100 is 9.1.0 (`CUDNN_VERSION` in cudnn_version.h). */
export function cudnnOfNumber(number: number): string {
  const unit = number < 10_000 ? 1000 : 10_000;
  return [Math.floor(number / unit), Math.floor((number % unit) / 100), number % 100].join('.');
}
