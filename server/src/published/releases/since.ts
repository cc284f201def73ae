import { dataOnUse } from '../dataOnUse.ts';

/** A name that a framework has supported since a release. */
interface Since {
  /** Its spelling in a command or in Python: a variable, an option, a function. */
  readonly name: string;
  /** The distribution, such as "tensorflow". */
  readonly package: string;
  /** The first release with it, such as "1.12". */
  readonly release: string;
}

const data = dataOnUse<{ since: Since[] }>(import.meta.dirname, 'since');

/** Variables, options and functions in remedies, with the first releases that support them. */
export function sinceReleases(): readonly Since[] {
  return data().since;
}
