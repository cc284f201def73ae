import type { Run, UpdateDriver } from '../../commands/action.ts';
import { lastDriverBranch } from '../../published/releases/cudaDriver.ts';
import { majorOf } from '../../published/versions.ts';
import { knownValue, type StackFacts } from '../../stack/facts/facts.ts';

/** Updates the driver to at least that version; empty if no such driver supports the GPU. */
export function updatingDriver(facts: StackFacts, lowest: string): UpdateDriver[] {
  const ends = (knownValue(facts.gpus) ?? []).flatMap(({ computeCapability }) =>
    computeCapability === null ? [] : (lastDriverBranch(computeCapability) ?? []),
  );
  return Number(majorOf(lowest)) > Math.min(...ends) ? [] : [{ do: 'updateDriver', to: lowest }];
}

/** Updates WSL, which only Windows can do. */
export function updatingWsl(title: string): Run {
  return { do: 'run', title: `${title}, in a Windows terminal`, command: 'wsl --update' };
}

export const RESTARTING_WSL: Run = { do: 'run', title: 'Restart WSL', command: 'wsl --shutdown', continues: true };
