/** Needs that are named on a command line. */
import { nearest } from '../nearest.ts';
import { gpuPackageFiles } from '../published/gpuPackages.ts';
import type { Needs } from '../solver/needs.ts';
import { isForGpus, isKnown } from './completeNeeds.ts';

/** Returns the needs of several requirements and files together. */
export function joinedNeeds(all: readonly Needs[]): Needs {
  const pythons = all.flatMap(({ python }) => python ?? []);
  return {
    python:
      pythons.length === 0
        ? null
        : {
            specifier: pythons.map(({ specifier }) => specifier).join(','),
            because: pythons.map(({ because }) => because).join(', '),
          },
    packages: all.flatMap(({ packages }) => packages),
    conditional: all.flatMap(({ conditional = [] }) => conditional),
    conda: all.flatMap(({ conda = [] }) => conda),
    condaChannels: [...new Set(all.flatMap(({ condaChannels = [] }) => condaChannels))],
    leftOut: all.flatMap(({ leftOut = [] }) => leftOut),
  };
}

/**
 * A sentence without its period about a requested name that is probably misspelled, or about names of which none is
 * known: a plan for them would promise wheels that nobody looked for.
 */
export function unknownName({ packages, conditional = [] }: Needs): string | undefined {
  const all = [...packages, ...conditional];
  const names = Object.keys(gpuPackageFiles());
  for (const { name, because } of all) {
    const likely = isKnown(name) || because !== ASKED_FOR ? undefined : misspelled(name, names);
    if (likely !== undefined) return `there is no known package \`${name}\`: did you mean \`${likely}\`?`;
  }
  if (all.length === 0 || all.some(({ name }) => isForGpus(name) || isKnown(name))) return undefined;
  const [{ name }] = all as [(typeof all)[number]];
  return `no package with GPU code is known under the name \`${name}\`: name the framework too, as in \`gpu-doctor plan torch ${name}\``;
}

const ASKED_FOR = 'asked for';

/** A known name that differs by one or two letters, or by two letters in the other order. */
function misspelled(name: string, names: readonly string[]): string | undefined {
  const swapped = names.find(
    (each) => each.length === name.length && [...name].sort().join() === [...each].sort().join(),
  );
  if (swapped !== undefined) return swapped;
  // Short names resemble each other by chance.
  const likely = name.length < 5 ? undefined : nearest(name, names);
  return likely !== undefined && Math.abs(likely.length - name.length) <= 2 ? likely : undefined;
}
