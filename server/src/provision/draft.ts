import type { PublishedBuild } from '../fit/build.ts';
import type { TorchWheel } from '../fit/builds/torch.ts';
import { cudnnBeside, gpusOfOlderCudnn } from '../fit/cudnn.ts';
import type { PlanTarget } from '../fit/target.ts';
import { isTorchCompanion } from '../published/releases/torchCompanions.ts';
import { fits, joinedSpecifier } from '../published/specifier.ts';
import type { Choice } from '../solver/choose.ts';
import { type Need, type Needs, written } from '../solver/needs.ts';
import { type Beside, versionsBeside } from '../solver/versionsBeside.ts';
import { shortGpuName } from '../stack/facts/gpuName.ts';
import type { Draft, PlannedInstallation, SystemCuda } from './environmentPlan.ts';

type Chosen = Pick<Draft, 'installations' | 'systemCuda' | 'libraries' | 'notes'>;

/** The installations for a choice, in order. */
export function plannedInstallations(target: PlanTarget, needs: Needs, choice: Choice): Chosen {
  const { torch, builds } = choice;
  const buildOf = (name: string) =>
    builds.find((each) => each.name === name || (name === 'onnxruntime' && each.name === 'onnxruntime-gpu'));
  const beside = versionsBeside(builds, needs);
  const first: Part[] = [];
  const pypi: Part[] = [];
  const later: PlannedInstallation[] = [];
  for (const need of needs.packages) {
    const { name } = need;
    const build = buildOf(name);
    if (isTorchCompanion(name) && torch !== undefined) {
      const part = {
        requirement: `${name}==${torch.release[name]}.*`,
        reason: `${name} ${torch.release[name]} is the one that is released for torch ${torch.release.torch}.`,
      };
      (torch.onPypi ? pypi : first).push(part);
    } else if (build === undefined) {
      const part = plainPart(need, choice, beside);
      if (part !== undefined) pypi.push(part);
    } else {
      const part = { requirement: requirementOf(build, need), reason: reasonOf(build, need, target, choice) };
      if (build === torch && !torch.onPypi) first.unshift(part);
      else if (build.page !== undefined || build.index !== undefined || build.isBuiltOnTorch)
        later.push(ofItsOwn(build, part, torch));
      else pypi.push(part, ...(build.also ?? []).map((requirement) => ({ requirement, reason: null })));
    }
  }
  pypi.push(...olderCudnn(target, builds, pypi));
  const pulledIn = beside.filter(({ name }) => !needs.packages.some((need) => need.name === name));
  pypi.push(...pulledIn.map(({ name, specifier, reason }) => ({ requirement: `${name}${specifier}`, reason })));
  if (later.some(({ isIsolated }) => !isIsolated))
    pypi.push({
      requirement: 'packaging ninja psutil setuptools wheel',
      reason: 'Packages that are compiled for torch, or search for their wheel themselves, need these build tools.',
    });
  const keeps = torch !== undefined && !torch.onPypi ? [`torch==${torch.version}`] : [];
  const ofTorch = first.length > 0 && torch ? [installation(first, torch, [])] : [];
  const ofPypi = pypi.length > 0 ? [installation(pypi, undefined, keeps)] : [];
  return {
    installations: [...ofTorch, ...ofPypi, ...later],
    systemCuda: systemCudaOf(builds) ?? compilerOf(target, builds, torch),
    libraries: builds.flatMap(({ loads = [] }) => loads),
    notes: notesOf(torch, later),
  };
}

/** Torch pins its cuDNN exactly; all others install the newest unless something prevents it. */
function olderCudnn({ gpu }: PlanTarget, builds: readonly PublishedBuild[], parts: Part[]): Part[] {
  if (gpu.kind !== 'cuda') return [];
  const [oldest] = gpusOfOlderCudnn(gpu);
  const taking = builds.find((each) => cudnnBeside(each, gpu) !== undefined);
  const requirement = taking && cudnnBeside(taking, gpu);
  if (oldest === undefined || taking === undefined || requirement === undefined) return [];
  // If the package that searches for it already names it, that requirement is narrowed: pip accepts no package twice.
  const [name = ''] = requirement.split('<');
  const asked = parts.findIndex((each) => each.requirement.startsWith(name));
  if (asked >= 0) parts.splice(asked, 1);
  return [
    {
      requirement: asked >= 0 ? requirement.replace('<', '>=9,<') : requirement,
      reason: `cuDNN ${oldest.last.cudnn} is the last for the ${shortGpuName(oldest.gpu.name)} (compute capability ${oldest.gpu.computeCapability}), and ${taking.name} would install the newest.`,
    },
  ];
}

interface Part {
  readonly requirement: string;
  readonly reason: string | null;
}

function installation(
  parts: readonly Part[],
  from: Pick<PublishedBuild, 'index' | 'page'> | undefined,
  keeps: readonly string[],
): PlannedInstallation {
  return {
    requirements: parts.flatMap(({ requirement }) => requirement.split(' ')),
    reasons: parts.flatMap(({ reason }) => reason ?? []),
    index: from?.index ?? null,
    page: from?.page ?? null,
    keeps,
    isIsolated: true,
  };
}

function ofItsOwn(build: PublishedBuild, part: Part, torch: TorchWheel | undefined): PlannedInstallation {
  const filled = (address: string | undefined) =>
    address?.replace('{torch}', `${torch?.release.torch}.0`).replace('{tag}', torch?.tag ?? 'cpu');
  const from = { index: filled(build.index), page: filled(build.page) };
  return { ...installation([part], from, []), isIsolated: !build.isBuiltOnTorch };
}

/** True for a specifier of exactly one version. */
function isOne(specifier: string): boolean {
  return /^===?[^*,]+$/.test(specifier);
}

/** The request, narrowed to the build. */
function requirementOf({ asked, versions }: PublishedBuild, { extras, specifier }: Need): string {
  const name = asked.includes('[') || extras.length === 0 ? asked : `${asked}[${extras.join(',')}]`;
  if (isOne(specifier) && !isOne(versions)) return `${name}${specifier}`;
  return `${name}${joinedSpecifier([versions, specifier]) ?? versions}`;
}

/** A package with one build for all; undefined for one that another package installs. */
function plainPart(need: Need, { builds }: Choice, beside: readonly Beside[]): Part | undefined {
  const tensorflow = builds.find(({ name }) => name === 'tensorflow')?.versions.match(/\d+\.\d+/)?.[0];
  if (need.name === 'tf-keras' && tensorflow !== undefined)
    return {
      requirement: `tf-keras==${tensorflow}.*`,
      reason: `tf-keras ${tensorflow} is Keras 2 for TensorFlow ${tensorflow}.`,
    };
  // Before 2.16, TensorFlow includes its own Keras, which is incompatible with a separate one.
  if (need.name === 'keras' && tensorflow !== undefined && !fits(`${tensorflow}.0`, '>=2.16')) return undefined;
  const known = beside.find(({ name }) => name === need.name);
  // A requested version is compatible with the builds, otherwise they would not have been chosen.
  if (known === undefined || isOne(need.specifier)) return { requirement: written(need), reason: null };
  const specifier = joinedSpecifier([need.specifier, known.specifier]) ?? known.specifier;
  return { requirement: written({ ...need, specifier }), reason: known.reason };
}

function reasonOf(build: PublishedBuild, need: Need, target: PlanTarget, { torch, driver = '' }: Choice): string {
  const { gpu } = target;
  const inUse = need.inUse !== undefined && build.versions.includes(need.inUse.match(/^\d+\.\d+/)?.[0] ?? ' ');
  const why = inUse ? ', the release that is in use' : '';
  if (gpu.kind !== 'cuda' || build.cuda === null) return `${build.title}${why}.`;
  const models = [
    ...new Set(
      gpu.gpus.map(
        ({ name, computeCapability }) => `${shortGpuName(name)}${computeCapability ? ` (${computeCapability})` : ''}`,
      ),
    ),
  ];
  const source = build === torch && !torch.onPypi && target.os === 'linux' ? otherThanPypi(torch) : '';
  return `${build.title}${why}: it has code for ${models.join(' and ')}, and driver ${driver === '' ? gpu.driver : `${driver} or newer`} supports it.${source}`;
}

function otherThanPypi({ release, tag, version }: TorchWheel): string {
  const other = release.pypi;
  return other === tag
    ? ''
    : ` A plain \`pip install torch==${version}\` would install the build for CUDA ${other.slice(2, -1)}.${other.slice(-1)}.`;
}

function systemCudaOf(builds: readonly PublishedBuild[]): SystemCuda | null {
  const wanting = builds.find(({ wants }) => wants !== undefined);
  return wanting?.wants === undefined ? null : { ...wanting.wants, for: wanting.title };
}

/**
 * Packages compiled for torch need nvcc of its CUDA, because their setup checks for it before it looks for a wheel. On
 * Windows they need Microsoft's compiler, which no channel has.
 */
function compilerOf(
  { os }: PlanTarget,
  builds: readonly PublishedBuild[],
  torch: TorchWheel | undefined,
): SystemCuda | null {
  const built = builds.find(({ isBuiltOnTorch }) => isBuiltOnTorch);
  if (built === undefined || torch?.cuda == null || os !== 'linux') return null;
  return { cuda: torch.cuda, cudnn: null, for: built.name };
}

function notesOf(torch: TorchWheel | undefined, later: readonly PlannedInstallation[]): string[] {
  const addresses = [
    ...(torch && !torch.onPypi ? [torch.index ?? torch.page ?? ''] : []),
    ...later.flatMap(({ index, page }) => index ?? page ?? []),
  ];
  if (addresses.length === 0) return [];
  return [
    `Packages from ${[...new Set(addresses)].join(' and ')} are chosen from GPU Doctor's tables of published wheels; the index itself was not queried.`,
  ];
}
