import { dataOnUse } from '../dataOnUse.ts';
import { compareVersions, majorOf } from '../versions.ts';
import { architecturesOf } from './releaseData.ts';

interface Row {
  /** The first torch and the first CUDA version that it applies to. */
  readonly torch: string;
  readonly cuda: string;
  readonly code: string;
}

/** conda channels that build torch. */
export type CondaChannel = 'pytorch' | 'conda-forge';

type Channels = Readonly<Record<CondaChannel, readonly Row[]>>;

const data = dataOnUse<{ channels: Channels }>(import.meta.dirname, 'torchCondaBuilds');

function channels(): Channels {
  return data().channels;
}

/** The GPU code in a conda channel's torch for a CUDA version; undefined if unknown. */
export function codeOnChannel(channel: CondaChannel, torch: string, cuda: string): string[] | undefined {
  const row = channels()[channel].find(
    (each) =>
      majorOf(each.cuda) === majorOf(cuda) &&
      compareVersions(torch, each.torch) >= 0 &&
      compareVersions(cuda, each.cuda) >= 0,
  );
  return row && architecturesOf(row.code);
}

/**
 * The CUDA versions for which conda-forge is known to build a torch ("2.7"), and the GPU code in each, the newest
 * first.
 */
export function buildsOnCondaForge(torch: string): { cuda: string; architectures: string[] }[] {
  return channels()
    ['conda-forge'].filter((row) => compareVersions(torch, row.torch) >= 0)
    .map(({ cuda, code }) => ({ cuda, architectures: architecturesOf(code) }));
}
