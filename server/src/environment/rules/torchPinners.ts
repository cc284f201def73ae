import { gpuPackages } from '../../stack/catalogue/gpuPackages.ts';
import { torchFamilyReleases } from '../../stack/releases/torchCompanions.ts';
import type { Requirement } from '../environmentFile.ts';
import { admits } from '../versions.ts';
import { wanted } from './requirements.ts';

/** What a pinned vLLM, xFormers or torchtext says against a torch, whose metadata name another; undefined where it fits. */
export function pinnedAgainst(torch: Requirement, other: Requirement): string | undefined {
  const { name, pin, manager } = other;
  if (manager !== 'pip' || torch.manager !== 'pip' || pin === undefined) return undefined;
  const row = gpuPackages().torch.find((each) => each.name === name && admits(each.versions, pin.text));
  const known = torchFamilyReleases().map((release) => release.torch);
  const admitted = known.filter((version) => admits(torch.specifier, version));
  // A torch that is not known may be anything.
  if (row === undefined || admitted.length === 0 || admitted.some((version) => admits(row.needs, version)))
    return undefined;
  if (!known.some((version) => admits(row.needs, version))) return undefined;
  return `${wanted(other)} needs torch ${row.needs.replace(/^==/, '')}, not ${wanted(torch)}.`;
}
