/** pip's files: `requirements.txt` and constraints. */
import { readCondaSpec } from '../condaSpec.ts';
import { type EnvironmentFile, installationOf } from '../environmentFile.ts';
import type { Includes } from './includes.ts';
import { rejectedIn } from './misread.ts';
import { commentsOf, installedBy, logicalLines, readPipList } from './pipList.ts';

export function readRequirementsFile(text: string, { listAt }: Includes): EnvironmentFile {
  const lines = logicalLines(text);
  const isOfConda = isCondaList(
    text,
    lines.map(({ line }) => line.trim()),
  );
  const list = readPipList(isOfConda ? [] : lines, listAt);
  const requirements = isOfConda
    ? lines.flatMap(({ line, start }) => readCondaSpec(line, start) ?? [])
    : installedBy(list);
  const installation = installationOf(requirements, {
    isPartial: list.isPartial,
    unnamed: list.unnamed ?? [],
    misread: isOfConda ? [] : rejectedIn(lines),
  });
  return { kind: 'requirements', installations: [installation], comments: commentsOf(text), errors: [] };
}

/**
 * True for a list for `conda create --file`: a comment says so, only single equals signs are used, or a name exists only
 * in conda.
 */
function isCondaList(text: string, lines: readonly string[]): boolean {
  if (/^#.*\bconda (?:create|install|env)\b.*(?:--file|<this file>)/m.test(text)) return true;
  // Among requirements of pip, a single equals sign is a mistake.
  if (lines.some((line) => /^[\w.-]+=[\w.]/.test(line))) return !lines.some((line) => /[=~<>!]=/.test(line));
  const names = new Set(lines.map((line) => /^[\w.-]+/.exec(line)?.[0]));
  return names.has('pytorch') && ['python', 'cudatoolkit', 'pytorch-cuda'].some((name) => names.has(name));
}
