import { knownValue, type StackFacts } from '../facts/facts.ts';
import { installedFrameworks } from './frameworks.ts';
import type { Remedy } from './verdict.ts';

/**
 * How to install packages into the environment at hand: with its own pip, or with uv. Environments that uv made hold no
 * pip. The Python of a system is left alone, as distributions ask for (PEP 668); it gets an environment of the
 * project's own. `packages` may hold options of pip and uv alike, such as `--index-url`; `anew` writes what is there once
 * more, as another build of the same version needs.
 */
export function installing(facts: StackFacts, title: string, packages: string, { anew = false } = {}): Remedy[] {
  const called = callPython(facts);
  if (called === undefined) return [];
  const { python, call } = called;
  if (knownValue(facts.interpreter)?.environment === 'system' && !onWindows(facts)) {
    const command = `python3 -m venv .venv && .venv/bin/pip install ${packages}`;
    return [{ title: `${title} in an environment of the project's own`, command }];
  }
  const uv = `uv pip install --python ${python} ${anew ? '--reinstall' : '--upgrade'} ${packages}`;
  if (madeByUv(facts)) return [{ title: `${title} with uv`, command: uv }];
  return [
    {
      title: `${title} with pip`,
      command: `${call} -m pip install --upgrade ${anew ? '--force-reinstall ' : ''}${packages}`,
    },
    { title: 'The same with uv', command: uv },
  ];
}

/** How to remove packages from the environment at hand. */
export function removing(facts: StackFacts, title: string, packages: string): Remedy[] {
  const called = callPython(facts);
  if (called === undefined) return [];
  const { python, call } = called;
  const command = madeByUv(facts)
    ? `uv pip uninstall --python ${python} ${packages}`
    : `${call} -m pip uninstall ${packages}`;
  return [{ title, command }];
}

function madeByUv(facts: StackFacts): boolean {
  return installedFrameworks(facts).some(({ build }) => build.installer === 'uv');
}

/** How to install packages of conda-forge into the conda environment at hand; nothing in any other. */
export function installingWithConda(facts: StackFacts, title: string, packages: string): Remedy[] {
  const interpreter = knownValue(facts.interpreter);
  if (interpreter?.environment !== 'conda') return [];
  const prefix = quotePath(interpreter.prefix, onWindows(facts));
  return [{ title: `${title} with conda`, command: `conda install --prefix ${prefix} -c conda-forge ${packages}` }];
}

export function onWindows(facts: StackFacts): boolean {
  return knownValue(facts.os)?.family === 'windows';
}

/** How to set a variable in the shell at hand. */
export function setting(facts: StackFacts, variable: string, value: string): string {
  return onWindows(facts) ? `$env:${variable} = "${value}"` : `export ${variable}=${value}`;
}

/** How to unset it. */
export function unsetting(facts: StackFacts, variable: string): string {
  return onWindows(facts) ? `Remove-Item Env:${variable}` : `unset ${variable}`;
}

/** The interpreter as an argument, and as a command: PowerShell starts a quoted path only after the call operator. */
export function callPython(facts: StackFacts): { python: string; call: string } | undefined {
  const path = knownValue(facts.interpreter)?.path;
  if (path === undefined) return undefined;
  const windows = onWindows(facts);
  const python = quotePath(path, windows);
  return { python, call: windows && python.startsWith('"') ? `& ${python}` : python };
}

export function quotePath(path: string, windows: boolean): string {
  if (/^[\w@%+=:,./\\~-]+$/.test(path)) return path;
  return windows ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}

/** A requirement for a shell, to which brackets and comparisons mean something. */
export function quoted(requirement: string): string {
  return /[[\]<>~!*]/.test(requirement) ? `"${requirement}"` : requirement;
}
