import { lastDriverBranch } from '../../published/releases/cudaDriver.ts';
import { majorOf } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';
import type { Remedy } from '../remedy.ts';

/** A driver of that version or a newer one; it is no way out where none that new supports the GPU. */
export function updatingDriver(facts: StackFacts, lowest: string): Remedy[] {
  const ends = (knownValue(facts.gpus) ?? []).flatMap(({ computeCapability }) =>
    computeCapability === null ? [] : (lastDriverBranch(computeCapability) ?? []),
  );
  if (Number(majorOf(lowest)) > Math.min(...ends)) return [];
  const where = knownValue(facts.wsl) ? ' in Windows' : knownValue(facts.container) ? " on the container's host" : '';
  return [{ title: `Update the NVIDIA driver${where} to ${lowest} or newer`, driver: lowest }];
}
