/** Asks the real CPython of this machine whether texts compile. */
import { spawnSync } from 'node:child_process';

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

/** For each text the error that CPython gives for it, or null where it compiles. One process serves all. */
export function compileErrors(texts: readonly string[]): (string | null)[] {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', COMPILE], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`python3 failed: ${stderr}`);
  return JSON.parse(stdout) as (string | null)[];
}
