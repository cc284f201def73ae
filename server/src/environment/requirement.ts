/** Requirements of PEP 508, as pip's files, commands and `pyproject.toml` have them. */
import { normalized } from '../published/packageName.ts';
import { readable } from './address.ts';
import type { PackageSource, Requirement, Span, Written } from './environmentFile.ts';

const NAME = /[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?/.source;
const REQUIREMENT = new RegExp(`^(\\s*)(${NAME})(\\s*)(\\[[^\\]]*\\])?([^;]*)(;.*)?$`, 's');
// No blank can be taken in two ways: a long line that is none of this would be tried in each.
const CLAUSES = /^\s*(?:\(\s*)?((?:(?:===|==|>=|<=|~=|!=|<|>)\s*[\w.*+!-]+\s*(?:,\s*)?)*)\)?\s*$/;
const EXACT = /^(===?\s*)([\d.]+(?:(?:a|b|rc|\.post|\.dev)\d+)*)(?:\+([\w.]+))?\s*$/i;

/** Reads a requirement that begins at an offset of its file; undefined for what is none. */
export function readRequirement(
  text: string,
  offset: number,
  sources: readonly PackageSource[] = [],
): Requirement | undefined {
  const [, before = '', written = '', gap = '', extras = '', rest = '', marker = ''] = REQUIREMENT.exec(text) ?? [];
  if (written === '') return undefined;
  const start = offset + before.length;
  const restStart = start + written.length + gap.length + extras.length;
  const end = rest.trim() === '' ? restStart - (extras ? 0 : gap.length) : restStart + rest.trimEnd().length;
  const common = {
    name: normalized(written),
    nameSpan: { start, end: start + written.length },
    span: { start, end },
    manager: 'pip' as const,
    extras: extrasIn(extras, restStart - extras.length),
    marker: marker.slice(1).trim(),
    sources,
  };
  const url = /^\s*@\s*(\S+)\s*$/.exec(rest)?.[1];
  if (url !== undefined) return { ...common, ...ofWheel(url), url };
  const clauses = CLAUSES.exec(rest)?.[1];
  if (clauses === undefined) return undefined;
  return { ...common, ...versionIn(clauses, restStart + rest.indexOf(clauses)) };
}

function extrasIn(text: string, offset: number): Written[] {
  return [...text.matchAll(/[\w.-]+/g)].map(({ 0: extra, index }) => written(extra, offset + index));
}

type Version = Pick<Requirement, 'specifier' | 'pin' | 'local'>;

/** The version in clauses of PEP 440 that begin at an offset. */
export function versionIn(clauses: string, offset: number): Version {
  const specifier = clauses
    .trim()
    .replace(/,$/, '')
    .replace(/\s+/g, '')
    .replace(/\+[\w.]+/g, '');
  const [, operator = '', version, local] = EXACT.exec(clauses) ?? [];
  if (version === undefined) return { specifier };
  const pin = written(version, offset + operator.length);
  return { specifier, pin, ...(local !== undefined && { local: written(local, pin.span.end + 1) }) };
}

/** The version that the name of a wheel tells. */
export function ofWheel(url: string): Version {
  const file = readable(url.split(/[?#]/)[0]?.split('/').at(-1) ?? '');
  const [, version, local] = /^[\w.]+-([\d.]+(?:(?:a|b|rc|\.post|\.dev)\d+)*)(?:\+([\w.]+))?-.*\.whl$/.exec(file) ?? [];
  if (version === undefined) return { specifier: undefined };
  const nowhere: Span = { start: 0, end: 0 };
  return { specifier: `==${version}`, ...(local !== undefined && { local: { text: local, span: nowhere } }) };
}

export function written(text: string, start: number): Written {
  return { text, span: { start, end: start + text.length } };
}
