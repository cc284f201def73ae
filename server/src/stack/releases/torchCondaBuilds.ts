import { readData } from '../../dataFiles.ts';
import type { CondaPackage, FrameworkBuild, OperatingSystem } from '../facts/facts.ts';
import { majorOf } from '../facts/installed.ts';
import { compareVersions } from './cudaDriver.ts';
import { architecturesOf, asOf } from './releaseData.ts';

interface Row {
  /** The first torch, and the first CUDA, of which it holds. */
  readonly torch: string;
  readonly cuda: string;
  readonly code: string;
}

type Channels = Readonly<Record<'pytorch' | 'conda-forge', readonly Row[]>>;

let table: Channels | undefined;

function channels(): Channels {
  table ??= readData<{ channels: Channels }>(import.meta.dirname, 'torchCondaBuilds').channels;
  return table;
}

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
  const row = channels()[channel].find(
    (each) =>
      majorOf(each.cuda) === majorOf(cuda) &&
      compareVersions(version, each.torch) >= 0 &&
      compareVersions(cuda, each.cuda) >= 0,
  );
  if (row === undefined) return undefined;
  const source = `what builds torch for the channel ${channel}, as of ${asOf('torchCondaBuilds')}`;
  return { value: architecturesOf(row.code), source };
}

/** For which CUDA versions, at least, conda-forge builds a torch ("2.7"), and the GPU code in each, the newest first. */
export function buildsOnCondaForge(torch: string): { cuda: string; architectures: string[] }[] {
  return channels()
    ['conda-forge'].filter((row) => compareVersions(torch, row.torch) >= 0)
    .map(({ cuda, code }) => ({ cuda, architectures: architecturesOf(code) }));
}

/** By the name of a build: "py3.10_cuda12.1_cudnn8.9.2_0" is of PyTorch's own channel, "cuda126_py311h80f2d4c_308" of conda-forge. */
function channelOf(build: string): keyof Channels | undefined {
  if (/^py\d\.\d+_cuda/.test(build)) return 'pytorch';
  return /^cuda\d{3}/.test(build) ? 'conda-forge' : undefined;
}
