/** PEP 508 requirements in pip's files, commands and `pyproject.toml`. */
import { type Part, parseRequirement, specifierOf } from '../published/requirement.ts';
import { readable } from './address.ts';
import type { LocatedSpan, PackageSource, Requirement, SpannedText } from './environmentFile.ts';

const EXACT = /^(===?\s*)([\d.]+(?:(?:a|b|rc|\.post|\.dev)\d+)*)(?:\+([\w.]+))?\s*$/i;

/** Reads a requirement that begins at an offset of its file; undefined if the text is not a requirement. */
export function readRequirement(
  text: string,
  offset: number,
  sources: readonly PackageSource[] = [],
): Requirement | undefined {
  const parsed = parseRequirement(text);
  if (parsed === undefined) return undefined;
  const { name, written: called, extras, clauses, url, marker, end } = parsed;
  const at = (part: Part) => spannedText(part.text, offset + part.start);
  const nameSpan = at(called).span;
  const common = {
    name,
    nameSpan,
    span: { start: nameSpan.start, end: offset + end },
    manager: 'pip' as const,
    extras: extras.map(at),
    marker,
    sources,
  };
  if (url !== undefined) return { ...common, ...ofWheel(url), url };
  return { ...common, ...versionIn(clauses.text, offset + clauses.start) };
}

type Version = Pick<Requirement, 'specifier' | 'pin' | 'local'>;

/** Returns the version in PEP 440 clauses that begin at an offset. */
export function versionIn(clauses: string, offset: number): Version {
  const specifier = specifierOf(clauses).replace(/\+[\w.]+/g, '');
  const [, operator = '', version, local] = EXACT.exec(clauses) ?? [];
  if (version === undefined) return { specifier };
  const pin = spannedText(version, offset + operator.length);
  return { specifier, pin, ...(local !== undefined && { local: spannedText(local, pin.span.end + 1) }) };
}

/** Returns the version in the name of a wheel. */
export function ofWheel(url: string): Version {
  const file = readable(url.split(/[?#]/)[0]?.split('/').at(-1) ?? '');
  const [, version, local] = /^[\w.]+-([\d.]+(?:(?:a|b|rc|\.post|\.dev)\d+)*)(?:\+([\w.]+))?-.*\.whl$/.exec(file) ?? [];
  if (version === undefined) return { specifier: undefined };
  const nowhere: LocatedSpan = { start: 0, end: 0 };
  return { specifier: `==${version}`, ...(local !== undefined && { local: { text: local, span: nowhere } }) };
}

export function spannedText(text: string, start: number): SpannedText {
  return { text, span: { start, end: start + text.length } };
}
