import { newestDriverOf } from '../../published/releases/cudaDriver.ts';
import { knownValue } from '../../stack/facts/facts.ts';
import type { Situation } from './condition.ts';

/** The machine's driver, from facts or nvidia-smi's output, or the newest possible one according to a message. */
export function driverIn({ facts, text, parts: { driverCuda } }: Situation): string | undefined {
  const known = facts && knownValue(facts.driver);
  if (known !== undefined) return known;
  const [, said] = /\b(?:Driver Version: |NVIDIA-SMI )(\d{3}\.\d{1,3}(?:\.\d{1,3})?)\b/.exec(text) ?? [];
  return said ?? (driverCuda && /^\d+\.\d+$/.test(driverCuda) ? newestDriverOf(driverCuda, 'linux') : undefined);
}
