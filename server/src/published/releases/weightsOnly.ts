import { readData } from '../../dataFiles.ts';
import { computedOnce } from '../remembering.ts';
import { compareVersions } from '../versions.ts';

/** Names separated by spaces, by the release of torch that first allowed them. */
type NamesByRelease = Readonly<Record<string, string>>;

interface Table {
  readonly compared: string;
  readonly imports: NamesByRelease;
  readonly removed: NamesByRelease;
  readonly opcodes: NamesByRelease;
}

/** The imports and opcodes that `torch.load(..., weights_only=True)` allows in a file. */
interface WeightsOnly {
  /** The newest torch whose list is known. */
  readonly newest: string;
  /** The oldest one, which is the first with that argument. */
  readonly oldest: string;
  /** Imports with the first release that allows them. */
  readonly imports: ReadonlyMap<string, string>;
  /** Imports with the first release that rejects them again. */
  readonly removed: ReadonlyMap<string, string>;
  /** Opcodes with the first release that supports them. */
  readonly opcodes: ReadonlyMap<string, string>;
}

/** The imports and opcodes that `torch.load(..., weights_only=True)` allows in a file, by release. */
export const weightsOnly = computedOnce((): WeightsOnly => {
  const { compared, imports, removed, opcodes } = readData<Table>(import.meta.dirname, 'weightsOnly');
  return {
    newest: compared,
    oldest: Object.keys(imports).sort(compareVersions)[0] ?? compared,
    imports: byName(imports),
    removed: byName(removed),
    opcodes: byName(opcodes),
  };
});

function byName(byRelease: NamesByRelease): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(byRelease).flatMap(([release, names]) => names.split(' ').map((name) => [name, release] as const)),
  );
}
