import { codeFits } from '../../published/codeFits.ts';
import { buildsOnCondaForge } from '../../published/releases/torchCondaBuilds.ts';
import { compareVersions, majorOf } from '../../published/versions.ts';

/**
 * The constraint on conda's package `cuda-version`, such as ">=12.8", that selects the builds of a torch ("2.7") for a
 * major version of CUDA ("12") with code for those GPUs. Undefined if all builds have it, or if none is known to have
 * it.
 */
export function cudaVersionFor(torch: string, family: string, capabilities: readonly string[]): string | undefined {
  const builds = buildsOnCondaForge(torch).map(({ cuda, architectures }) => ({
    cuda,
    fits: capabilities.every((each) => codeFits(architectures, each) === 'native'),
  }));
  const own = builds.filter(({ cuda }) => majorOf(cuda) === family);
  const lowest = own.findLast(({ fits }) => fits)?.cuda;
  if (lowest === undefined) return undefined;
  const isTooLow = own.some(({ cuda, fits }) => !fits && compareVersions(cuda, lowest) < 0);
  const isTooHigh = builds.some(({ cuda, fits }) => !fits && Number(majorOf(cuda)) > Number(family));
  const bounds = [...(isTooLow ? [`>=${lowest}`] : []), ...(isTooHigh ? [`<${Number(family) + 1}`] : [])];
  return bounds.length > 0 ? bounds.join(',') : undefined;
}
