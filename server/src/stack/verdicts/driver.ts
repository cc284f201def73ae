import { compareVersions, lowestDriver } from '../cudaDriver.ts';
import { isUnknown, knownValue, type StackFacts } from '../facts.ts';
import { driverSystem, installFittingTorch } from './torchInstallation.ts';
import type { Judge } from './verdict.ts';

export const driverLibraryMismatch: Judge = {
  id: 'driver-library-mismatch',
  judge({ gpus }) {
    if (!isUnknown(gpus) || gpus.cause !== 'driverMismatch') return [];
    return [
      {
        severity: 'error',
        finding:
          'The NVIDIA driver was updated while its old kernel module is still loaded, so nothing can use the GPU until a restart.',
        why: [{ fact: gpus.unknown, source: gpus.source }],
        remedies: [{ title: 'Restart the machine', command: 'sudo reboot' }],
      },
    ];
  },
};

/** The driver against the floor of the CUDA family that a build is made for. */
export const driverTooOld: Judge = {
  id: 'driver-too-old',
  judge(facts) {
    const driver = knownValue(facts.driver);
    const system = driverSystem(facts);
    if (driver === undefined || system === undefined || mayHaveForwardCompatibility(facts)) return [];
    const supported = knownValue(facts.driverCuda);
    const { torch, tensorflow, jax } = facts.frameworks;
    for (const fact of [torch, tensorflow, jax]) {
      const build = knownValue(fact);
      const lowest = build?.cuda ? lowestDriver(build.cuda, system) : undefined;
      if (!build?.cuda || lowest === undefined || compareVersions(driver, lowest) >= 0) continue;
      // A driver that says it supports this CUDA version does, whatever its number.
      if (supported !== undefined && compareVersions(supported, build.cuda) >= 0) continue;
      return [
        {
          severity: 'error',
          finding: `The NVIDIA driver ${driver} is too old for ${build.name} ${build.version}, which needs ${lowest} or newer.`,
          why: [
            { fact: `driver ${driver}`, source: facts.driver.source },
            { fact: `${build.name} ${build.version} is built for CUDA ${build.cuda}`, source: fact.source },
          ],
          remedies: [
            { title: `Update the NVIDIA driver to ${lowest} or newer` },
            ...(build.name === 'torch' ? installFittingTorch(facts) : []),
          ],
        },
      ];
    }
    return [];
  },
};

/**
 * NVIDIA's cuda-compat package lets data-center GPUs run newer CUDA on an older driver; images for containers bring it.
 * It does not work on GeForce.
 */
function mayHaveForwardCompatibility({ variables, container, gpus }: StackFacts): boolean {
  if (/compat/.test(knownValue(variables)?.LD_LIBRARY_PATH ?? '')) return true;
  return Boolean(knownValue(container)) && !knownValue(gpus)?.some(({ name }) => /GeForce/i.test(name));
}
