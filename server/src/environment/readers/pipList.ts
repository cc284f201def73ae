/** pip's lists: requirements and constraints, with the lists that they include. */
import { normalized } from '../../published/packageName.ts';
import type { LocatedSpan, PackageSource, Requirement, SpannedText } from '../environmentFile.ts';
import { ofWheel, readRequirement, spannedText } from '../requirement.ts';
import { sourcesIn } from './pipOptions.ts';

/** The contents of a list and of all lists that it includes. */
export interface PipList {
  readonly requirements: readonly Requirement[];
  /** Constraints, which apply only to packages that are required elsewhere. */
  readonly constraints: readonly Requirement[];
  readonly sources: readonly PackageSource[];
  /** Requirements without a name: folders, archives and repositories. */
  readonly unnamed?: readonly SpannedText[];
  /** True if some of it cannot be read. */
  readonly isPartial: boolean;
}

/** Returns the list at a path; `span` is the place of the option that names it. */
export type NamedList = (path: string, named: LocatedSpan) => PipList;

export const UNREAD: PipList = { requirements: [], constraints: [], sources: [], isPartial: true };

const COMMENT = /(?:^|(?<=[ \t]))#[^\r\n]*/gm;
const NAMED = /^(\s*)(-r|-c|--requirement|--constraint)(?:\s+|\s*=\s*|(?<=-[rc]))(\S+)\s*$/;

/**
 * Returns the logical lines of a list that begins at an offset, without comments and with continuation lines joined.
 */
export function logicalLines(text: string, offset = 0): { readonly line: string; readonly start: number }[] {
  // Other text becomes spaces, to keep offsets.
  const bare = text
    .replace(COMMENT, blanks)
    .replace(/\\\r?\n/g, blanks)
    .replace(/^\uFEFF/, ' ');
  return [...bare.matchAll(/[^\r\n]+/g)].map(({ 0: line, index }) => ({ line, start: offset + index }));
}

function blanks(text: string): string {
  return ' '.repeat(text.length);
}

export function commentsOf(text: string): LocatedSpan[] {
  return [...text.matchAll(COMMENT)].map(({ 0: comment, index }) => ({
    start: index,
    end: index + comment.trimEnd().length,
  }));
}

/** Reads the lines of a list; `listAt` reads included lists. */
export function readPipList(lines: ReturnType<typeof logicalLines>, listAt: NamedList): PipList {
  const named = lines.flatMap(({ line, start }) => {
    const [all, before = '', option = '', path] = NAMED.exec(line) ?? [];
    if (all === undefined || path === undefined) return [];
    const span = { start: start + before.length, end: start + line.trimEnd().length };
    return [{ isConstraint: /^--?c/.test(option), start, list: listAt(path, span) }];
  });
  const own = lines.flatMap(({ line, start }) => requirementIn(line, start) ?? []);
  const lists = named.filter(({ isConstraint }) => !isConstraint).map(({ list }) => list);
  const narrowing = named.filter(({ isConstraint }) => isConstraint).map(({ list }) => list);
  return {
    requirements: [...own, ...lists.flatMap(({ requirements }) => requirements)],
    constraints: [
      ...lists.flatMap(({ constraints }) => constraints),
      ...narrowing.flatMap(({ requirements, constraints }) => [...requirements, ...constraints]),
    ],
    sources: [
      ...lines.flatMap(({ line, start }) => sourcesIn(line, start)),
      ...named.flatMap(({ list }) => list.sources),
    ],
    unnamed: [
      ...lines.flatMap(({ line, start }) => unnamedIn(line, start) ?? []),
      ...lists.flatMap(({ unnamed = [] }) => unnamed),
    ],
    isPartial: named.some(({ list }) => list.isPartial),
  };
}

/** Returns a folder, an archive or a repository that a line installs, with the option `-e` if it has one. */
function unnamedIn(line: string, start: number): SpannedText | undefined {
  const [, before = '', text] =
    /^(\s*)((?:-e|--editable)[\s=]+\S+|(?:\.{0,2}[\\/]|\.{1,2}$|[\w+.-]+:|[\w.-]+[\\/])\S*)/.exec(line.trimEnd()) ?? [];
  if (text === undefined || requirementIn(line, start) !== undefined) return undefined;
  return spannedText(text, start + before.length);
}

/**
 * Returns pip's installation of several lists: source options apply to all requirements, and constraints narrow them.
 */
export function installedBy({ requirements, constraints, sources }: PipList): Requirement[] {
  return requirements.map((requirement) => narrowed({ ...requirement, sources }, constraints));
}

function narrowed(requirement: Requirement, constraints: readonly Requirement[]): Requirement {
  const constraint = constraints.find(
    ({ name, marker, url }) => name === requirement.name && url === undefined && marker === requirement.marker,
  );
  const { specifier, url, pin } = requirement;
  if (constraint?.specifier === undefined || specifier === undefined || url !== undefined || pin) return requirement;
  const { local } = constraint;
  return {
    ...requirement,
    specifier: [specifier, constraint.specifier].filter((each) => each !== '').join(','),
    ...(constraint.pin && { pin: constraint.pin }),
    ...(local && { local }),
  };
}

function requirementIn(line: string, start: number): Requirement | undefined {
  if (/^\s*-/.test(line)) return undefined;
  // Options of a single requirement, such as hashes.
  const own = line.replace(/\s--?[a-z].*$/s, '');
  return readRequirement(own, start) ?? wheelIn(own, start);
}

/** Reads the address of a wheel: `https://.../torch-2.1.0%2Bcu118-cp310-cp310-linux_x86_64.whl`. */
function wheelIn(line: string, start: number): Requirement | undefined {
  const [, before = '', url = '', name] = /^(\s*)(\S*?([A-Za-z0-9][\w.]*)-\d[^/\s]*\.whl\S*)/.exec(line) ?? [];
  if (name === undefined) return undefined;
  const span = { start: start + before.length, end: start + before.length + url.length };
  const base = { name: normalized(name), nameSpan: span, span, manager: 'pip' as const };
  return { ...base, ...ofWheel(url), url, extras: [], marker: '', sources: [] };
}
