import { asOf } from '../../published/releases/releaseData.ts';
import { type CondaChannel, codeOnChannel } from '../../published/releases/torchCondaBuilds.ts';
import type { CondaPackage, FrameworkBuild, OperatingSystem } from '../facts/facts.ts';

/** The GPU architectures in conda's torch, with their source; undefined if unknown. */
export function codeOfCondaTorch(
  { version, cuda, installer }: FrameworkBuild,
  packages: readonly CondaPackage[],
  os: OperatingSystem | undefined,
): { value: string[]; source: string } | undefined {
  // The installer in the metadata of conda's torch is missing or "conda".
  if ((installer !== null && installer !== 'conda') || cuda === null) return undefined;
  if (os?.architecture !== 'x64' || (os.family !== 'linux' && os.family !== 'windows')) return undefined;
  const conda = packages.find(({ name }) => name === 'pytorch');
  const channel = conda && channelOf(conda.build);
  if (channel === undefined || !version.startsWith(conda?.version ?? '')) return undefined;
  const code = codeOnChannel(channel, version, cuda);
  if (code === undefined) return undefined;
  return { value: code, source: `what builds torch for the channel ${channel}, as of ${asOf('torchCondaBuilds')}` };
}

/**
 * From the build string: "py3.10_cuda12.1_cudnn8.9.2_0" is from PyTorch's channel, "cuda126_py311h80f2d4c_308" from
 * conda-forge.
 */
function channelOf(build: string): CondaChannel | undefined {
  if (/^py\d\.\d+_cuda/.test(build)) return 'pytorch';
  return /^cuda\d{3}/.test(build) ? 'conda-forge' : undefined;
}

/**
 * The cuDNN in conda's torch, if its build string names it: builds from the channel `pytorch`
 * ("py3.10_cuda12.1_cudnn8.9.2_0") link it statically. Source: PyTorch's build scripts for conda, which set
 * USE_STATIC_CUDNN.
 */
export function cudnnInCondaTorch(torch: FrameworkBuild, packages: CondaPackage[]): string | undefined {
  // The metadata of conda's torch names no installer.
  if (torch.installer !== null && torch.installer !== 'conda') return undefined;
  return packages.find(({ name }) => name === 'pytorch')?.build.match(/_cudnn(\d+(?:\.\d+)+)_/)?.[1];
}
