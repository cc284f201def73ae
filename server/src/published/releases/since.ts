import { readData } from '../../dataFiles.ts';

/** A name that a framework has supported since a release. */
export interface Since {
  /** Its spelling in a command or in Python: a variable, an option, a function. */
  readonly name: string;
  /** The distribution, such as "tensorflow". */
  readonly package: string;
  /** The first release with it, such as "1.12". */
  readonly release: string;
}

let table: readonly Since[] | undefined;

/** Variables, options and functions in remedies, with the first releases that support them. */
export function sinceReleases(): readonly Since[] {
  table ??= readData<{ since: Since[] }>(import.meta.dirname, 'since').since;
  return table;
}
