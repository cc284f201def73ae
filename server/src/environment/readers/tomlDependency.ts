import type { Path } from '../../located/located.ts';
import type { LocatedToml } from '../../located/toml.ts';
import { normalized } from '../../published/packageName.ts';
import type { Requirement, SpannedText } from '../environmentFile.ts';
import { ofWheel } from '../requirement.ts';
import { tableOf, textAt, textsAt } from './texts.ts';

/** A version as PEP 440 clauses; `specifier` is undefined if it cannot be read. */
type DependencyVersion = Pick<Requirement, 'specifier' | 'pin' | 'local'>;

/**
 * Reads one dependency as Pipenv, Poetry and pixi write it: a constraint, or a table with `version`, `extras` and perhaps a
 * path or an address. `keyPlace` leads to the name, `place` to the value, which may be an item of a list.
 */
export function tomlDependency(
  text: string,
  located: LocatedToml,
  keyPlace: Path,
  place: Path,
  value: unknown,
  constraintOf: (version: SpannedText | undefined) => DependencyVersion,
): Omit<Requirement, 'marker' | 'sources'> {
  const details = tableOf(value);
  const nameSpan = located.keyAt(keyPlace);
  const isPlain = typeof value === 'string';
  const version = textAt(text, located, isPlain ? place : [...place, 'version'], isPlain ? value : details.version);
  const url = [details.url, details.file, details.git, details.path].find((each) => typeof each === 'string');
  return {
    name: normalized(String(keyPlace.at(-1))),
    nameSpan,
    span: { start: nameSpan.start, end: Math.max(nameSpan.end, located.valueAt(place).end) },
    manager: 'pip',
    ...(url !== undefined ? { ...ofWheel(url), url } : constraintOf(version)),
    extras: textsAt(text, located, [...place, 'extras'], details.extras),
  };
}
