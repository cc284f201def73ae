import { type DriverSystem, torchWheelFor } from '../cudaDriver.ts';
import { knownValue, type StackFacts } from '../facts.ts';
import { installing } from './installing.ts';
import type { Remedy } from './verdict.ts';

/** Whose driver numbers count. The number of the driver in WSL is that of the Windows driver. */
export function driverSystem({ os, wsl }: StackFacts): DriverSystem | undefined {
  const family = knownValue(os)?.family;
  if (family === 'windows' || knownValue(wsl)) return 'windows';
  return family === 'linux' ? 'linux' : undefined;
}

/** How to get a torch that runs with this driver on these GPUs; nothing where no wheel is known to. */
export function installFittingTorch(facts: StackFacts): Remedy[] {
  const driver = knownValue(facts.driver);
  const system = driverSystem(facts);
  const capabilities = (knownValue(facts.gpus) ?? []).flatMap(({ computeCapability }) => computeCapability ?? []);
  if (driver === undefined || system === undefined) return [];
  const tag = torchWheelFor(driver, system, capabilities);
  return tag === undefined ? [] : installTorch(facts, tag);
}

/** How to install torch, and torchvision where it is there, from the index of that tag ("cu130"). */
export function installTorch(facts: StackFacts, tag: string): Remedy[] {
  const packages = knownValue(facts.frameworks.torchvision) ? 'torch torchvision' : 'torch';
  const index = `--index-url https://download.pytorch.org/whl/${tag}`;
  return installing(facts, `Install torch with CUDA (${tag})`, `${packages} ${index}`);
}
