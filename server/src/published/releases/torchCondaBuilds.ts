import { readData } from '../../dataFiles.ts';
import { compareVersions, majorOf } from '../versions.ts';
import { architecturesOf } from './releaseData.ts';

interface Row {
  /** The first torch, and the first CUDA, of which it holds. */
  readonly torch: string;
  readonly cuda: string;
  readonly code: string;
}

/** Channels of conda that build torch. */
export type CondaChannel = 'pytorch' | 'conda-forge';

type Channels = Readonly<Record<CondaChannel, readonly Row[]>>;

let table: Channels | undefined;

function channels(): Channels {
  table ??= readData<{ channels: Channels }>(import.meta.dirname, 'torchCondaBuilds').channels;
  return table;
}

/** The GPU code in a torch that a channel of conda builds for a CUDA; undefined where that is not known. */
export function codeOnChannel(channel: CondaChannel, torch: string, cuda: string): string[] | undefined {
  const row = channels()[channel].find(
    (each) =>
      majorOf(each.cuda) === majorOf(cuda) &&
      compareVersions(torch, each.torch) >= 0 &&
      compareVersions(cuda, each.cuda) >= 0,
  );
  return row && architecturesOf(row.code);
}

/** For which CUDA versions, at least, conda-forge builds a torch ("2.7"), and the GPU code in each, the newest first. */
export function buildsOnCondaForge(torch: string): { cuda: string; architectures: string[] }[] {
  return channels()
    ['conda-forge'].filter((row) => compareVersions(torch, row.torch) >= 0)
    .map(({ cuda, code }) => ({ cuda, architectures: architecturesOf(code) }));
}
