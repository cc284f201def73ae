import { nearest } from '../nearest.ts';
import { gpuPackageFiles } from '../published/gpuPackages.ts';
import { computesOnGpus, frameworkOf, knownPackage, packageOfConda, plannedName } from '../published/knownPackages.ts';
import { joinedSpecifier } from '../published/specifier.ts';
import { ASKED_FOR, type Need, type Needs } from '../solver/needs.ts';

/** CUDA and its libraries, by the names of NVIDIA's wheels, of conda's packages and of JAX's plug-ins. */
const CUDA = /^(nvidia-.*|pytorch-cuda|pytorch-mutex|cudatoolkit|cuda-.*|cudnn|cpuonly|jax-cuda.*)$/;

/** True for a package that the chosen builds install by themselves or replace. */
export function comesWithBuilds(name: string): boolean {
  return CUDA.test(name) || knownPackage(name)?.comes_with_builds === true;
}

/** True for a package of which something is known, under one of its names. */
export function isKnown(name: string): boolean {
  return (
    isForGpus(name) ||
    comesWithBuilds(name) ||
    knownPackage(plannedName(name)) !== undefined ||
    frameworkOf(name) !== undefined
  );
}

/** True if it has GPU code, or depends on a package with GPU code, under one of its names in conda or PyPI. */
export function isForGpus(name: string): boolean {
  return computesOnGpus(name) || packageOfConda(name)?.file.computes === true;
}

/** The needs by their planning names, with the frameworks that they imply, and the omitted ones. */
export function completeNeeds(needs: Needs): { needs: Needs; leftOut: readonly string[] } {
  const found = new Map<string, Need>();
  const add = (need: Need) => {
    const name = plannedName(need.name);
    const before = found.get(name);
    found.set(name, before === undefined ? { ...need, name } : joined(before, need));
  };
  const brought = needs.packages.filter(({ name }) => comesWithBuilds(name));
  for (const need of needs.packages) if (!brought.includes(need)) add(need);
  const implied = (name: string, because: string) => {
    if (!found.has(name)) found.set(name, { name, extras: [], specifier: '', because: `needed by ${because}` });
  };
  for (const { name } of [...found.values()]) {
    const framework = frameworkOf(name);
    if (framework !== undefined) implied(framework, name);
  }
  const backends = knownPackage('keras')?.backends ?? [];
  const hasBackend = () => backends.some((name) => found.has(name));
  if (found.has('keras') && !hasBackend()) implied('tensorflow', 'keras');
  if (found.has('transformers') && !hasBackend()) implied('torch', 'transformers');
  const isBrought = hasBackend() || found.has('onnxruntime');
  if (!isBrought) for (const need of brought) add(need);
  return {
    needs: { ...needs, packages: [...found.values()] },
    leftOut: isBrought ? brought.map(({ name }) => name) : [],
  };
}

/** Combines two needs for the same package. */
function joined(one: Need, other: Need): Need {
  const both = [one.specifier, other.specifier];
  return {
    ...one,
    extras: [...new Set([...one.extras, ...other.extras])],
    // Contradictory bounds are kept, so that the plan can name them.
    specifier: joinedSpecifier(both) ?? both.join(','),
    because: one.because === other.because ? one.because : `${one.because}, ${other.because}`,
  };
}

/** Combines the needs for Python, each once; null without one. */
export function joinedPython(all: readonly Needs['python'][]): Needs['python'] {
  const known = all.filter((each) => each !== null);
  const distinct = known.filter((each, at) => known.findIndex(({ specifier }) => specifier === each.specifier) === at);
  if (distinct.length === 0) return null;
  return {
    specifier: distinct.map(({ specifier }) => specifier).join(','),
    because: distinct.map(({ because }) => because).join(', '),
  };
}

/** Returns the needs of several requirements and files together. */
export function joinedNeeds(all: readonly Needs[]): Needs {
  return {
    python: joinedPython(all.map(({ python }) => python)),
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
