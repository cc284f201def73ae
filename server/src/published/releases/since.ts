import { readData } from '../../dataFiles.ts';

/** A name that a framework knows since a release. */
export interface Since {
  /** As a command or a line of Python has it: a variable, an option, a function. */
  readonly name: string;
  /** The distribution, such as "tensorflow". */
  readonly package: string;
  /** The first release with it, such as "1.12". */
  readonly release: string;
}

let table: readonly Since[] | undefined;

/** Variables, options and functions of remedies with the first releases that know them. */
export function sinceReleases(): readonly Since[] {
  table ??= readData<{ since: Since[] }>(import.meta.dirname, 'since').since;
  return table;
}
