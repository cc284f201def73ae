/** Sources of uv and PDM: `[[tool.uv.index]]`, `[tool.uv.sources]`, `[[tool.pdm.source]]`. */

import type { LocatedToml } from '../../located/toml.ts';
import { normalized } from '../../published/packageName.ts';
import type { PackageSource } from '../environmentFile.ts';
import { sourcesOfOption } from './sourceOptions.ts';
import { tableOf } from './texts.ts';

/** Returns the sources of a package in an installation with that extra or group. */
export type UvSources = (name: string, group: string | undefined) => readonly PackageSource[];

/** uv uses the first index that has a package, and asks named indexes before PyPI. */
interface Index {
  readonly name: unknown;
  readonly source: PackageSource;
}

export function uvSources(located: LocatedToml): UvSources {
  const tool = tableOf(tableOf(located.value).tool);
  const uv = tableOf(tool.uv);
  const indexes = listOf(uv.index).flatMap((each, position): Index[] => {
    const { name, url, explicit } = tableOf(each);
    if (typeof url !== 'string') return [];
    const span = located.valueAt(['tool', 'uv', 'index', position, 'url']);
    return [{ name, source: { url, kind: 'index', span, ...(explicit === true && { isExplicit: true }) } }];
  });
  const options = [
    ...sourcesOfOption(located, ['tool', 'uv'], uv, 'index-url', 'index'),
    ...sourcesOfOption(located, ['tool', 'uv'], uv, 'extra-index-url', 'index'),
    ...sourcesOfOption(located, ['tool', 'uv'], uv, 'find-links', 'links'),
  ];
  const pdm = pdmSources(located, tool.pdm);
  const general = [...indexes.filter(({ source }) => !source.isExplicit).map(({ source }) => source), ...options];
  const named = tableOf(uv.sources);
  const key = new Map(Object.keys(named).map((each) => [normalized(each), each]));
  return (name, group) => {
    const ownKey = key.get(name);
    if (ownKey === undefined) return [...general, ...pdm(name)];
    const entries = Array.isArray(named[ownKey]) ? named[ownKey] : [named[ownKey]];
    const chosen = entries.flatMap((entry, position): PackageSource[] => {
      const { index, extra, group: ofGroup, marker, url, git, path } = tableOf(entry);
      const condition = extra ?? ofGroup;
      if (condition !== undefined && condition !== group) return [];
      const place = ['tool', 'uv', 'sources', ownKey];
      const span = located.valueAt(Array.isArray(named[ownKey]) ? [...place, position] : place);
      const elsewhere = [url, git, path].find((each) => typeof each === 'string');
      const known = indexes.find((each) => each.name === index)?.source.url;
      const address = known ?? (typeof elsewhere === 'string' ? elsewhere : undefined);
      if (address === undefined) return [];
      const isPackage = known === undefined ? { isPackage: true as const } : {};
      return [{ url: address, kind: 'index', span, ...isPackage, ...(typeof marker === 'string' && { marker }) }];
    });
    return chosen.length > 0 ? chosen : [...general, ...pdm(name)];
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A PDM source that includes a package is its only source; one that excludes a package is not used for it. */
function pdmSources(located: LocatedToml, pdm: unknown): (name: string) => PackageSource[] {
  const sources = listOf(tableOf(pdm).source).flatMap((each, index) => {
    const { url, type, include_packages, exclude_packages } = tableOf(each);
    if (typeof url !== 'string') return [];
    const span = located.valueAt(['tool', 'pdm', 'source', index, 'url']);
    const kind = type === 'find_links' ? ('links' as const) : ('extra' as const);
    return [{ source: { url, span, kind }, includes: namesIn(include_packages), excludes: namesIn(exclude_packages) }];
  });
  return (name) => {
    const including = sources.filter(({ includes }) => includes(name));
    if (including.length > 0) return including.map(({ source }) => ({ ...source, kind: 'index' as const }));
    return sources.filter(({ excludes }) => !excludes(name)).map(({ source }) => source);
  };
}

/** True if a list contains the name; an entry that ends in a star matches a prefix. */
function namesIn(value: unknown): (name: string) => boolean {
  const patterns = listOf(value).flatMap((each) => (typeof each === 'string' ? [each] : []));
  return (name) =>
    patterns.some((pattern) =>
      pattern.endsWith('*') ? name.startsWith(normalized(pattern).slice(0, -1)) : name === normalized(pattern),
    );
}
