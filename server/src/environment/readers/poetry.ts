/** Poetry's tables in `pyproject.toml`. */

import type { LocatedToml } from '../../located/toml.ts';
import {
  type Installation,
  installationOf,
  type PackageSource,
  type Requirement,
  type SpannedText,
  type VersionRange,
} from '../environmentFile.ts';
import { versionIn } from '../requirement.ts';
import { tableOf } from './texts.ts';
import { tomlDependency } from './tomlDependency.ts';

export function poetryInstallations(text: string, located: LocatedToml): Installation[] {
  const poetry = tableOf(tableOf(tableOf(located.value).tool).poetry);
  if (!('dependencies' in poetry)) return [];
  const base = ['tool', 'poetry'];
  const sources = sourcesIn(located, poetry.source);
  const read = (path: readonly string[], table: unknown) => readTable(text, located, path, table, sources);
  const own = read([...base, 'dependencies'], poetry.dependencies);
  const groups = Object.entries(tableOf(poetry.group)).map(([name, group]) =>
    read([...base, 'group', name, 'dependencies'], tableOf(group).dependencies),
  );
  groups.push(read([...base, 'dev-dependencies'], poetry['dev-dependencies']));
  const python = own.find(({ name }) => name === 'python');
  const range: { python?: VersionRange } = python?.specifier
    ? { python: { specifier: python.specifier, span: python.span } }
    : {};
  const packages = own.filter((each) => each !== python);
  return [
    installationOf(packages, range),
    ...groups.filter(({ length }) => length > 0).map((group) => installationOf([...packages, ...group], range)),
  ];
}

function sourcesIn(located: LocatedToml, value: unknown): Map<unknown, PackageSource> {
  const sources = new Map<unknown, PackageSource>();
  for (const [index, each] of (Array.isArray(value) ? value : []).entries()) {
    const { name, url, priority } = tableOf(each);
    if (typeof url !== 'string') continue;
    const span = located.valueAt(['tool', 'poetry', 'source', index, 'url']);
    const isExplicit = priority === 'explicit';
    // Other sources are used only for packages that no primary source has.
    const kind = priority === undefined || priority === 'default' || priority === 'primary' ? 'index' : 'extra';
    sources.set(name, { url, kind, span, ...(isExplicit && { isExplicit }) });
  }
  return sources;
}

function readTable(
  text: string,
  located: LocatedToml,
  path: readonly string[],
  table: unknown,
  sources: ReadonlyMap<unknown, PackageSource>,
): Requirement[] {
  const general = [...sources.values()].filter(({ isExplicit, kind }) => !isExplicit && kind === 'index');
  return Object.entries(tableOf(table)).flatMap(([key, value]) => {
    // A list has one entry per condition; each entry is a requirement.
    const entries = Array.isArray(value) ? value.map((entry, index) => [entry, [...path, key, index]] as const) : [];
    return (Array.isArray(value) ? entries : [[value, [...path, key]] as const]).map(([entry, place]): Requirement => {
      const { markers, platform, python, source } = tableOf(entry);
      const chosen = sources.get(source);
      const conditions = [markers, platform, python].filter((each) => each !== undefined);
      return {
        ...tomlDependency(text, located, [...path, key], place, entry, poetryVersion),
        marker: conditions.map(String).join(' and '),
        sources: chosen ? [{ ...chosen, kind: 'index', span: located.valueAt([...place, 'source']) }] : general,
      };
    });
  });
}

/** Returns a Poetry constraint as PEP 440 clauses. */
function poetryVersion(version: SpannedText | undefined): Pick<Requirement, 'specifier' | 'pin' | 'local'> {
  if (version === undefined) return { specifier: undefined };
  const { text, span } = version;
  if (text.trim() === '*' || text.trim() === '') return { specifier: '' };
  // Without an operator, a constraint is exact.
  if (/^\d[\w.]*(?:\+[\w.]+)?$/.test(text)) {
    const { pin, local } = versionIn(`==${text}`, span.start - 2);
    return { specifier: `==${text.split('+')[0]}`, pin, local };
  }
  if (text.includes('|')) return { specifier: undefined };
  const clauses = text.split(',').map((clause) => clauseOf(clause.trim()));
  if (clauses.some((clause) => clause === undefined)) return { specifier: undefined };
  return clauses.length === 1 && /^==?[^=*]+$/.test(text.trim())
    ? versionIn(text, span.start)
    : { specifier: clauses.join(',') };
}

function clauseOf(clause: string): string | undefined {
  const [, operator, version = ''] = /^(\^|~(?!=))\s*(\d+(?:\.\d+)*)$/.exec(clause) ?? [];
  if (operator === undefined) {
    if (/^\d[\d.]*(?:\.\*)$/.test(clause)) return `==${clause}`;
    return /^(?:===?|>=|<=|~=|!=|<|>)\s*[\w.*+]+$/.test(clause) ? clause.replace(/\s+/g, '') : undefined;
  }
  const parts = version.split('.').map(Number);
  // A caret keeps the first nonzero number; a tilde keeps the second number, if there is one.
  const kept =
    operator === '^'
      ? Math.max(
          0,
          parts.findIndex((part) => part > 0),
        )
      : Math.min(1, parts.length - 1);
  const next = parts.slice(0, kept + 1).map((part, index) => (index === kept ? part + 1 : part));
  return `>=${version},<${next.join('.')}`;
}
