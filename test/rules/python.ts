/** Checks with this machine's CPython whether texts compile. */
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

/** Returns the changes that turn a script or cell that compiles into one that does not. */
export function brokenChanges(changes: readonly Change[]): string[] {
  const cells = changes.flatMap(({ name, before, after }) =>
    before.cells.map(({ text }, cell) => ({ name, before: text, after: after.cells[cell]?.text ?? '' })),
  );
  const changed = cells.filter((cell) => cell.before !== cell.after);
  const errors = compileErrors(new Set(changed.flatMap((cell) => [cell.before, cell.after])));
  return changed
    .filter((cell) => errors.get(cell.before) === null && errors.get(cell.after) !== null)
    .map((cell) => `${cell.name}: ${errors.get(cell.after)}\n${cell.after}`);
}

/** Returns CPython's error for each text, or null if it compiles. One process handles all texts. */
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
