import { computesOnGpus, frameworkOf, knownPackage, packageOfConda, plannedName } from '../published/knownPackages.ts';
import type { Need, Needs } from '../solver/needs.ts';

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
  const specifiers = new Set(
    [...one.specifier.split(','), ...other.specifier.split(',')].filter((each) => each !== ''),
  );
  return {
    ...one,
    extras: [...new Set([...one.extras, ...other.extras])],
    specifier: [...specifiers].join(','),
    because: one.because === other.because ? one.because : `${one.because}, ${other.because}`,
  };
}
