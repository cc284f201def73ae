/** pip's files: `requirements.txt` and constraints. */
import { readCondaSpec } from '../condaSpec.ts';
import { type EnvironmentFile, installationOf } from '../environmentFile.ts';
import type { Includes } from './includes.ts';
import { commentsOf, installedBy, linesOf, readPipList } from './pipList.ts';

export function readRequirementsFile(text: string, { listAt }: Includes): EnvironmentFile {
  const lines = linesOf(text);
  const isOfConda = isCondaList(
    text,
    lines.map(({ line }) => line.trim()),
  );
  const list = readPipList(isOfConda ? [] : lines, listAt);
  const requirements = isOfConda
    ? lines.flatMap(({ line, start }) => readCondaSpec(line, start) ?? [])
    : installedBy(list);
  const installation = installationOf(requirements, { isPartial: list.isPartial });
  return { kind: 'requirements', installations: [installation], comments: commentsOf(text), errors: [] };
}

/**
 * True for a list for `conda create --file`: a comment says so, a single equals sign is used, or a name exists only in
 * conda.
 */
function isCondaList(text: string, lines: readonly string[]): boolean {
  if (/^#.*\bconda (?:create|install|env)\b.*(?:--file|<this file>)/m.test(text)) return true;
  if (lines.some((line) => /^[\w.-]+=[\w.]/.test(line))) return true;
  const names = new Set(lines.map((line) => /^[\w.-]+/.exec(line)?.[0]));
  return names.has('pytorch') && ['python', 'cudatoolkit', 'pytorch-cuda'].some((name) => names.has(name));
}
