import { installCommandOf } from '../environment/shell/installCommand.ts';
import type { ShellStatement } from '../environment/shell/line.ts';

/** One call of an installer, which needs no shell. */
export interface InstallerCall {
  readonly installer: 'pip' | 'uv';
  readonly removes: boolean;
  /** Options and requirements, without the verb and without the Python that they are for. */
  readonly words: readonly string[];
}

/** A requirement by name: no path, address or shell syntax. */
const BY_NAME = /^[A-Za-z0-9][\w.-]*(?:\[[\w.,-]+\])?(?:\s*(?:[<>=!~]=?|===)\s*[\w.*+!,<>=~ ]+)?$/;

/** Options of an installer that only say where and what to install. */
const OPTION =
  /^(?:--(?:index-url|extra-index-url|index|default-index|find-links|upgrade|force-reinstall|no-deps|no-cache-dir|no-build-isolation|no-index|pre|yes|reinstall|reinstall-package|upgrade-package|upgrade-strategy|only-binary|no-binary|index-strategy|torch-backend|python)|-[iUfy])$/;

/** Returns a statement as a call of pip or uv; undefined if it is none, or does anything else. */
export function installerCall(statement: ShellStatement): InstallerCall | undefined {
  const found = installCommandOf(statement);
  if (found === undefined || (found.tool !== 'pip' && found.tool !== 'uv pip')) return undefined;
  if (Object.keys(statement.sets).length > 0) return undefined;
  const { operands, options, removes } = found;
  if (operands.length === 0 || !operands.every(({ text }) => BY_NAME.test(text))) return undefined;
  if (!options.every(({ name }) => OPTION.test(name))) return undefined;
  const kept = options.filter(({ name }) => name !== '--python');
  return {
    installer: found.tool === 'pip' ? 'pip' : 'uv',
    removes,
    words: [
      ...kept.flatMap(({ name, value }) => (value === undefined ? [name] : [name, value])),
      ...operands.map(({ text }) => text),
    ],
  };
}

/** Returns the program and the arguments of a call for a Python. */
export function programOf({ installer, removes, words }: InstallerCall, python: string): readonly string[] {
  const verb = removes ? 'uninstall' : 'install';
  if (installer === 'uv') return ['uv', 'pip', verb, '--python', python, ...words.filter((each) => each !== '-y')];
  return [python, '-m', 'pip', verb, ...(removes && !words.includes('-y') ? ['-y'] : []), ...words];
}
