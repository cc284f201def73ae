/** The diagnoses that report the failure of a relation on this machine, by its name. */
export const RELATION_DIAGNOSES: Readonly<Record<string, readonly string[]>> = {
  driver: ['driver-too-old'],
  'gpu-code-newer': ['gpu-newer-than-build'],
  'gpu-code-older': ['gpu-older-than-build'],
  'gpu-code': ['package-without-this-gpu'],
  companions: ['torchvision-of-other-release', 'torchvision-of-other-build'],
  cudnn: ['cudnn-without-gpu'],
  'cuda-family': ['toolkit-of-other-cuda'],
  'torch-abi': ['built-for-other-torch'],
  'numpy-abi-1': [],
  'numpy-abi-2': [],
  'same-folder': ['packages-overwrite'],
};

/** The diagnoses that confirm a cause: those that its checks name, and those that report a relation's failure. */
export function diagnosesIn(checks: readonly (string | object)[]): string[] {
  return checks.flatMap((check) => (typeof check === 'string' ? (RELATION_DIAGNOSES[check] ?? check) : []));
}
