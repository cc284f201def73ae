import { knownValue, type StackFacts } from '../facts.ts';
import type { Remedy } from './verdict.ts';

/**
 * How to install packages into the environment at hand: with its own pip, or with uv. The Python of a system is left
 * alone, as distributions ask for (PEP 668); it gets an environment of the project's own.
 * `packages` may hold options of pip and uv alike, such as `--index-url`.
 */
export function installing(facts: StackFacts, title: string, packages: string): Remedy[] {
  const interpreter = knownValue(facts.interpreter);
  if (interpreter === undefined) return [];
  const windows = onWindows(facts);
  if (interpreter.environment === 'system' && !windows) {
    const command = `python3 -m venv .venv && .venv/bin/pip install ${packages}`;
    return [{ title: `${title} in an environment of the project's own`, command }];
  }
  const { python, call } = callPython(interpreter.path, windows);
  return [
    { title: `${title} with pip`, command: `${call} -m pip install --upgrade --force-reinstall ${packages}` },
    { title: 'The same with uv', command: `uv pip install --python ${python} --reinstall ${packages}` },
  ];
}

export function onWindows(facts: StackFacts): boolean {
  return knownValue(facts.os)?.family === 'windows';
}

/** The interpreter as an argument, and as a command: PowerShell starts a quoted path only after the call operator. */
function callPython(path: string, windows: boolean): { python: string; call: string } {
  const python = quotePath(path, windows);
  return { python, call: windows && python.startsWith('"') ? `& ${python}` : python };
}

function quotePath(path: string, windows: boolean): string {
  if (/^[\w@%+=:,./\\~-]+$/.test(path)) return path;
  return windows ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}

/** A list of packages in a shell: extras need quotes, as brackets are patterns to it. */
export function quoted(requirement: string): string {
  return /[[\]<>~!*]/.test(requirement) ? `"${requirement}"` : requirement;
}
