/** Files of pip: `requirements.txt` and constraints. */
import { readCondaSpec } from '../condaSpec.ts';
import {
  type EnvironmentFile,
  installationOf,
  normalized,
  type PackageSource,
  type Requirement,
  type Span,
} from '../environmentFile.ts';
import { ofWheel, readRequirement } from '../requirement.ts';
import { sourcesIn } from './pipOptions.ts';

const COMMENT = /(?:^|(?<=[ \t]))#[^\r\n]*/gm;
const INCLUDE = /^(?:-r|-c|--requirement|--constraint)\b/;

export function readRequirementsFile(text: string): EnvironmentFile {
  const comments = [...text.matchAll(COMMENT)].map(
    ({ 0: comment, index }): Span => ({ start: index, end: index + comment.trimEnd().length }),
  );
  // What is no part of a requirement becomes blanks, so that offsets stay.
  const bare = text
    .replace(COMMENT, blanks)
    .replace(/\\\r?\n/g, blanks)
    .replace(/^\uFEFF/, ' ');
  const lines = [...bare.matchAll(/[^\r\n]+/g)].map(({ 0: line, index }) => ({ line, start: index }));
  const sources = lines.flatMap(({ line, start }) => sourcesIn(line, start));
  const isOfConda = isCondaList(
    text,
    lines.map(({ line }) => line.trim()),
  );
  const requirements = lines.flatMap(
    ({ line, start }) => (isOfConda ? readCondaSpec(line, start) : requirementIn(line, start, sources)) ?? [],
  );
  const isPartial = lines.some(({ line }) => INCLUDE.test(line.trim()));
  return { kind: 'requirements', installations: [installationOf(requirements, { isPartial })], comments, errors: [] };
}

/** Lists for `conda create --file`: they say so, have a single equals sign, or name what only conda has. */
function isCondaList(text: string, lines: readonly string[]): boolean {
  if (/^#.*\bconda (?:create|install|env)\b.*(?:--file|<this file>)/m.test(text)) return true;
  if (lines.some((line) => /^[\w.-]+=[\w.]/.test(line))) return true;
  const names = new Set(lines.map((line) => /^[\w.-]+/.exec(line)?.[0]));
  return names.has('pytorch') && ['python', 'cudatoolkit', 'pytorch-cuda'].some((name) => names.has(name));
}

function blanks(text: string): string {
  return ' '.repeat(text.length);
}

function requirementIn(line: string, start: number, sources: readonly PackageSource[]): Requirement | undefined {
  if (/^\s*-/.test(line)) return undefined;
  // Options of a single requirement, such as hashes.
  const own = line.replace(/\s--?[a-z].*$/s, '');
  return readRequirement(own, start, sources) ?? wheelIn(own, start);
}

/** A file that is named alone: `https://.../torch-2.1.0%2Bcu118-cp310-cp310-linux_x86_64.whl`. */
function wheelIn(line: string, start: number): Requirement | undefined {
  const [, before = '', url = '', name] = /^(\s*)(\S*?([A-Za-z0-9][\w.]*)-\d[^/\s]*\.whl\S*)/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const span = { start: start + before.length, end: start + before.length + url.length };
  const base = { name: normalized(name), nameSpan: span, span, manager: 'pip' as const };
  return { ...base, ...ofWheel(url), url, extras: [], marker: '', sources: [] };
}
