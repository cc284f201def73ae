import { knownValue, type StackFacts } from '../facts/facts.ts';
import { type DriverSystem, torchWheelFor } from '../releases/cudaDriver.ts';
import { onChip, visibleGpus } from './gpus.ts';
import { installing, installingWithConda } from './installing.ts';
import type { Remedy } from './verdict.ts';

/** Whose driver numbers count. The number of the driver in WSL is that of the Windows driver. */
export function driverSystem({ os, wsl }: StackFacts): DriverSystem | undefined {
  const family = knownValue(os)?.family;
  if (family === 'windows' || knownValue(wsl)) return 'windows';
  return family === 'linux' ? 'linux' : undefined;
}

/** How to get a torch that runs with this driver on these GPUs; nothing where no wheel is known to. */
export function installFittingTorch(facts: StackFacts): Remedy[] {
  if (onChip(facts)) {
    return [
      {
        title:
          "Install NVIDIA's own build for Jetson (https://docs.nvidia.com/deeplearning/frameworks/install-pytorch-jetson-platform/)",
      },
    ];
  }
  const driver = knownValue(facts.driver);
  const system = driverSystem(facts);
  if (driver === undefined || system === undefined) return [];
  const capabilities = visibleGpus(facts).flatMap(({ computeCapability }) => computeCapability ?? []);
  const tag = torchWheelFor(driver, system, capabilities);
  if (tag === undefined) return [];
  if (knownValue(facts.frameworks.torch)?.installer === 'conda') {
    return installingWithConda(facts, 'Install torch with CUDA', 'pytorch-gpu');
  }
  const packages = (['torch', 'torchvision', 'torchaudio'] as const).filter(
    (name) => name === 'torch' || knownValue(facts.frameworks[name]),
  );
  const index = `--index-url https://download.pytorch.org/whl/${tag}`;
  return installing(facts, `Install torch with CUDA (${tag})`, `${packages.join(' ')} ${index}`, { anew: true });
}
