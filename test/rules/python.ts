/** Asks the real CPython of this machine whether texts compile. */
import { spawnSync } from 'node:child_process';
import type { Source } from '../../server/src/python/semantic/source.ts';

const COMPILE = `
import json, sys, warnings
warnings.simplefilter("ignore")
def error(text):
    try:
        compile(text, "<fixed>", "exec")
    except (SyntaxError, ValueError) as error:
        return f"line {getattr(error, 'lineno', '?')}: {error}"
json.dump([error(text) for text in json.load(sys.stdin)], sys.stdout)
`;

export interface Change {
  readonly name: string;
  readonly before: Source;
  readonly after: Source;
}

/** The changes that make a script or a cell, which CPython compiles, one that it does not compile any more. */
export function brokenBy(changes: readonly Change[]): string[] {
  const cells = changes.flatMap(({ name, before, after }) =>
    before.cells.map(({ text }, cell) => ({ name, before: text, after: after.cells[cell]?.text ?? '' })),
  );
  const changed = cells.filter((cell) => cell.before !== cell.after);
  const errors = compileErrors(new Set(changed.flatMap((cell) => [cell.before, cell.after])));
  return changed
    .filter((cell) => errors.get(cell.before) === null && errors.get(cell.after) !== null)
    .map((cell) => `${cell.name}: ${errors.get(cell.after)}\n${cell.after}`);
}

/** For each text the error that CPython gives for it, or null where it compiles. One process serves all. */
function compileErrors(texts: ReadonlySet<string>): ReadonlyMap<string, string | null> {
  if (texts.size === 0) return new Map();
  const { status, stdout, stderr } = spawnSync('python3', ['-c', COMPILE], {
    input: JSON.stringify([...texts]),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`python3 failed: ${stderr}`);
  const errors: (string | null)[] = JSON.parse(stdout);
  return new Map([...texts].map((text, index) => [text, errors[index] ?? null]));
}
