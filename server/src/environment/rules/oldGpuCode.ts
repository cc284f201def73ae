import { codeFor, isNative } from '../../fit/gpuCode.ts';
import {
  cudaOfTag,
  type TorchRelease,
  torchHas,
  torchReleaseOf,
  torchReleases,
  torchStillHas,
} from '../../published/releases/torchReleases.ts';
import { message } from '../../rules/engine/message.ts';
import type { Installation, Requirement } from '../environmentFile.ts';
import { torchBuildOf } from '../torchBuild.ts';
import type { EnvironmentRule } from './environmentRule.ts';
import { quotedName } from './requirements.ts';

/** NVIDIA's GPU generations under their usual names, newest first, each with a representative compute capability. */
const GENERATIONS = [
  { name: 'Blackwell', examples: 'RTX 50 series', capability: '12.0' },
  { name: 'Hopper', examples: 'H100', capability: '9.0' },
  { name: 'Ampere', examples: 'A100, RTX 30 series', capability: '8.0' },
] as const;

/** GPU608: a pinned torch whose build has no code for newer GPUs. */
export const oldGpuCode: EnvironmentRule = {
  code: 'GPU608',
  name: 'old-gpu-code',
  summary: 'A pinned torch has no code for newer GPUs.',
  reports: 'a pinned torch that has no code for newer GPUs',
  severity: 'hint',
  check(installation, report) {
    const pinned = installation.requirements.filter(({ pin }) => pin !== undefined);
    const torch =
      pinned.find(({ name, manager }) => name === 'torch' && manager === 'pip') ??
      pinned.find(({ name, manager }) => name === 'pytorch' && manager === 'conda');
    const build = torch && (torch.manager === 'pip' ? buildOf(torch) : buildOfConda(torch, installation));
    if (torch === undefined || build === undefined) return;
    const lacking = GENERATIONS.filter(({ capability }) => codeFor(build, capability).fit === 'fails');
    const oldest = lacking.at(-1);
    const instead = oldest && insteadFor(oldest.capability, build);
    if (oldest === undefined || instead === undefined) return;
    report({
      span: torch.span,
      // A project that names such an old build may have a GPU for it.
      ...(oldest.name === 'Ampere' && !build.isChosen ? { level: 'flag', severity: 'information' } : { level: 'hint' }),
      message: message`${quotedName(torch)} for CUDA ${build.cuda} does not support ${oldest.name}${lacking.length > 1 ? ' and newer' : ''} GPUs (${oldest.examples}): ${instead} does.`,
    });
  },
};

interface PinnedBuild {
  readonly release: TorchRelease;
  /** True if a tag or an index selects the build. */
  readonly isChosen: boolean;
  readonly cuda: string;
  readonly code: readonly string[];
}

function buildOf(torch: Requirement): PinnedBuild | undefined {
  const release = torch.pin && torchReleaseOf(torch.pin.text);
  const chosen = torchBuildOf(torch)?.tag;
  if (release === undefined || (chosen === undefined && torch.sources.length > 0)) return undefined;
  const tag = chosen ?? release.pypi;
  const build = release.builds.get(tag);
  return build && { release, isChosen: chosen !== undefined, cuda: cudaOfTag(tag), code: build.architectures };
}

/** The build of conda's channel `pytorch`, whose code is that of the wheels, for the CUDA that a package beside it names. */
function buildOfConda(torch: Requirement, { requirements, channels }: Installation): PinnedBuild | undefined {
  const release = torch.pin && torchReleaseOf(torch.pin.text);
  const toolkit = release && (torchHas('pytorch_cuda', release.torch) ? 'pytorch-cuda' : 'cudatoolkit');
  const cuda = requirements.find(({ name }) => name === toolkit)?.pin?.text;
  if (release === undefined || cuda === undefined || !torchStillHas('conda_channel', release.torch)) return undefined;
  if ((torch.channel ?? channels[0]?.text) !== 'pytorch') return undefined;
  const tag = `cu${cuda.replace('.', '')}`;
  const build = release.builds.get(tag);
  return build && { release, isChosen: false, cuda: cudaOfTag(tag), code: build.architectures };
}

/**
 * Returns the build that supports GPUs with that compute capability: another build of the release, else the first
 * release that has one. If a tag or an index selects the build, other builds of the release are not suggested.
 */
function insteadFor(capability: string, { release, isChosen }: PinnedBuild): string | undefined {
  const tagIn = ({ builds }: TorchRelease) =>
    [...builds].findLast(([tag, { architectures: code }]) => isNative({ cuda: cudaOfTag(tag), code }, capability))?.[0];
  const own = tagIn(release);
  if (own !== undefined) return isChosen ? undefined : `its build for CUDA ${cudaOfTag(own)}`;
  const first = torchReleases().find((each) => tagIn(each) !== undefined);
  return first && `torch ${first.torch} for CUDA ${cudaOfTag(tagIn(first) ?? '')}`;
}
