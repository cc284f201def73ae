/** The results of each fix for each finding, applied one at a time. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { readDocument, renderDocument } from '../../server/src/files/document.ts';
import { lint } from '../../server/src/lint/lint.ts';
import type { Source } from '../../server/src/python/semantic/source.ts';
import type { Fix } from '../../server/src/rules/edits/fix.ts';
import type { Finding } from '../../server/src/rules/engine/contract.ts';
import { applyEdits, compose } from '../../server/src/rules/engine/fixAll.ts';

export interface Variant {
  readonly finding: Finding;
  readonly fix: Fix;
  readonly source: Source;
}

/** Every fix for every finding of a program, including hints and suggestions, applied separately. */
export function variantsOf(source: Source): Variant[] {
  const { program, findings } = lint(source);
  return findings.flatMap((finding) =>
    finding.fixes().map((fix) => ({ finding, fix, source: applyEdits(program, fix.edits) })),
  );
}

/** The text of a file after the n-th fix, counted from 0, of each finding that has one; undefined if none has. */
export function withChoice(file: string, n: number): string | undefined {
  const document = readDocument(file, readFileSync(file));
  const { program, findings } = lint(document.source);
  const chosen = findings.map((finding): Finding => {
    const fix = finding.fixes()[n];
    return { ...finding, fixes: () => (fix ? [{ ...fix, tier: 'safe' }] : []) };
  });
  const { edits } = compose(chosen);
  return edits.length > 0 ? renderDocument(document, applyEdits(program, edits)) : undefined;
}

/** The readable Python files and notebooks below a folder, by path. */
export function sourcesBelow(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:py|ipynb)$/.test(name))
    .sort()
    .flatMap((name) => {
      const file = path.join(folder, name);
      try {
        return [readDocument(file, readFileSync(file)).source];
      } catch {
        // Fixtures of invalid input are not programs.
        return [];
      }
    });
}

export interface Failure {
  readonly name: string;
  readonly error: string;
  readonly cell: string;
}

/** The cells that this CPython does not compile. */
export async function compileFailures(
  python: string,
  programs: readonly { name: string; source: Source }[],
): Promise<Failure[]> {
  const input = programs.map(({ name, source: { kind, cells } }) => ({
    name,
    notebook: kind === 'notebook',
    cells: cells.map(({ text }) => text),
  }));
  const script = path.join(import.meta.dirname, 'compiles.py');
  const { stdout } = await execa(python, [script], {
    input: JSON.stringify(input),
    env: { PYTHONDONTWRITEBYTECODE: '1' },
  });
  return JSON.parse(stdout);
}
