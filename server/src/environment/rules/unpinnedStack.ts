import { condaNameOf, packagesWith } from '../../published/knownPackages.ts';
import { driverOfCuda, lowestDriver } from '../../published/releases/cudaDriver.ts';
import { cudaOfTag, torchReleases } from '../../published/releases/torchReleases.ts';
import type { EnvironmentKind, Requirement } from '../environmentFile.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { impliedTorch } from './torchPinners.ts';

/** Files that are installed directly. Inputs of lock files and metadata of libraries are unpinned on purpose. */
const INSTALLED: readonly EnvironmentKind[] = ['requirements', 'conda', 'dockerfile'];

/** Names of files intended for other devices: `requirements-mps.txt`, `environment_cpu.yml`. */
const WITHOUT_CUDA =
  /(?:^|[-_.])(?:cpu|mps|metal|mac|macos|osx|darwin|apple|intel|xpu|rocm|hip|hipblas|amd)(?:[-_.]|$)/i;

/** GPU605: a framework without a version, so that its CUDA version and minimum driver can change with any release. */
export const unpinnedStack: EnvironmentRule = {
  code: 'GPU605',
  name: 'unpinned-stack',
  summary: 'A framework is required without a version, so any release can change its CUDA version.',
  reports: 'a framework without a version',
  severity: 'hint',
  check({ requirements, isPartial }, report, { kind, name = '' }) {
    // Without CUDA, the version does not matter.
    if (requirements.some(({ name: other }) => other === 'cpuonly') || WITHOUT_CUDA.test(name)) return;
    if (!INSTALLED.includes(kind) || (isPartial && kind !== 'dockerfile')) return;
    const names = packagesWith('cuda_by_release').flatMap(({ name: own }) => [own, condaNameOf(own) ?? own]);
    const open = requirements.find((each) => names.includes(each.name) && isOpen(each));
    if (open === undefined || (open.name === 'torch' && requirements.some(pinsTorch))) return;
    report({
      span: open.span,
      level: 'hint',
      message: `${open.name} is not pinned: any release can change its CUDA and minimum driver${todayOf(open)}.`,
    });
  },
};

/** True if the metadata of a pinned package, such as vLLM, determine the version of torch. */
function pinsTorch(requirement: Requirement): boolean {
  return requirement.marker === '' && impliedTorch(requirement) !== undefined;
}

function isOpen({ specifier, url, build, sources, marker }: Requirement): boolean {
  return specifier === '' && url === undefined && build === undefined && sources.length === 0 && marker === '';
}

function todayOf({ name, manager }: Requirement): string {
  const newest = torchReleases().at(-1);
  if (newest === undefined || name !== 'torch' || manager !== 'pip') return '';
  const cuda = cudaOfTag(newest.pypi);
  const driver = lowestDriver(cuda, 'linux') ?? driverOfCuda(cuda, 'linux');
  return ` (${newest.torch}: CUDA ${cuda}${driver === undefined ? '' : `, driver ${driver}`})`;
}
