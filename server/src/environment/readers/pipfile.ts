/** Pipenv's `Pipfile`. */
import { type LocatedToml, locateToml } from '../../located/toml.ts';
import {
  type EnvironmentFile,
  installationOf,
  type PackageSource,
  type Requirement,
  type SpannedText,
  type VersionRange,
} from '../environmentFile.ts';
import { versionIn } from '../requirement.ts';
import { tableOf, textAt } from './texts.ts';
import { tomlDependency } from './tomlDependency.ts';

export function readPipfile(text: string): EnvironmentFile {
  const located = locateToml(text);
  const { comments, errors } = located;
  if (errors.length > 0) return { kind: 'pipfile', installations: [], comments, errors };
  const { source, requires, ...tables } = tableOf(located.value);
  const sources = sourcesIn(located, source);
  const read = (name: string) => readTable(text, located, [name], tables[name], sources);
  const own = read('packages');
  const groups = Object.keys(tables).filter((name) => name !== 'packages' && name !== 'scripts' && name !== 'pipenv');
  const python = pythonAt(text, located, tableOf(requires));
  const more = python && { python };
  return {
    kind: 'pipfile',
    installations: [
      installationOf(own, more),
      ...groups
        .map(read)
        .filter(({ length }) => length > 0)
        .map((group) => installationOf([...own, ...group], more)),
    ],
    comments,
    errors: [],
  };
}

function pythonAt(
  text: string,
  located: LocatedToml,
  { python_version, python_full_version }: Record<string, unknown>,
): VersionRange | undefined {
  const minor = textAt(text, located, ['requires', 'python_version'], python_version);
  const full = textAt(text, located, ['requires', 'python_full_version'], python_full_version);
  const found = full ?? minor;
  if (found === undefined || !/^3\.\d+(?:\.\d+)?$/.test(found.text)) return undefined;
  const specifier = `==${found.text}${found === minor ? '.*' : ''}`;
  return { specifier, span: found.span };
}

/** Sources by name; the first is the default. */
function sourcesIn(located: LocatedToml, value: unknown): Map<unknown, PackageSource> {
  const found = new Map<unknown, PackageSource>();
  for (const [index, each] of (Array.isArray(value) ? value : []).entries()) {
    const { name, url } = tableOf(each);
    if (typeof url === 'string')
      found.set(name, { url, kind: 'index', span: located.valueAt(['source', index, 'url']) });
  }
  return found;
}

function readTable(
  text: string,
  located: LocatedToml,
  path: readonly string[],
  table: unknown,
  sources: ReadonlyMap<unknown, PackageSource>,
): Requirement[] {
  const [general] = sources.values();
  return Object.entries(tableOf(table)).map(([key, value]): Requirement => {
    const place = [...path, key];
    const { index, markers, sys_platform } = tableOf(value);
    const chosen = sources.get(index) ?? general;
    const conditions = [markers, sys_platform && `sys_platform ${sys_platform}`];
    return {
      ...tomlDependency(text, located, place, place, value, pipfileVersion),
      marker: conditions.filter(Boolean).join(' and '),
      // Packages without a source come from PyPI.
      sources: chosen && !/pypi\.org/.test(chosen.url) ? [chosen] : [],
    };
  });
}

function pipfileVersion(version: SpannedText | undefined): Pick<Requirement, 'specifier' | 'pin' | 'local'> {
  if (version === undefined || version.text.trim() === '*' || version.text.trim() === '') return { specifier: '' };
  return versionIn(version.text, version.span.start);
}
