import { asOf } from '../../published/releases/releaseData.ts';
import { type CondaChannel, codeOnChannel } from '../../published/releases/torchCondaBuilds.ts';
import type { CondaPackage, FrameworkBuild, OperatingSystem } from '../facts/facts.ts';

/** The GPU code in the torch that conda has installed, and who says so; undefined where that is not known. */
export function codeOfCondaTorch(
  { version, cuda, installer }: FrameworkBuild,
  packages: readonly CondaPackage[],
  os: OperatingSystem | undefined,
): { value: string[]; source: string } | undefined {
  // Metadata of conda's own torch name no installer, or conda.
  if ((installer !== null && installer !== 'conda') || cuda === null) return undefined;
  if (os?.architecture !== 'x64' || (os.family !== 'linux' && os.family !== 'windows')) return undefined;
  const conda = packages.find(({ name }) => name === 'pytorch');
  const channel = conda && channelOf(conda.build);
  if (channel === undefined || !version.startsWith(conda?.version ?? '')) return undefined;
  const code = codeOnChannel(channel, version, cuda);
  if (code === undefined) return undefined;
  return { value: code, source: `what builds torch for the channel ${channel}, as of ${asOf('torchCondaBuilds')}` };
}

/** By the name of a build: "py3.10_cuda12.1_cudnn8.9.2_0" is of PyTorch's own channel, "cuda126_py311h80f2d4c_308" of conda-forge. */
function channelOf(build: string): CondaChannel | undefined {
  if (/^py\d\.\d+_cuda/.test(build)) return 'pytorch';
  return /^cuda\d{3}/.test(build) ? 'conda-forge' : undefined;
}

/**
 * The cuDNN inside conda's torch, where the name of its build tells: that of the channel `pytorch`
 * ("py3.10_cuda12.1_cudnn8.9.2_0") is linked into the library itself.
 * Source: PyTorch's build scripts for conda, which set USE_STATIC_CUDNN.
 */
export function cudnnInCondaTorch(torch: FrameworkBuild, packages: CondaPackage[]): string | undefined {
  // Metadata of conda's own torch name no installer.
  if (torch.installer !== null && torch.installer !== 'conda') return undefined;
  return packages.find(({ name }) => name === 'pytorch')?.build.match(/_cudnn(\d+(?:\.\d+)+)_/)?.[1];
}
