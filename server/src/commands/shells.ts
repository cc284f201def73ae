/** The syntax of shells for words, variables and several commands on one line. */

import { knownValue, type StackFacts } from '../stack/facts/facts.ts';
import { inCmd } from './cmd.ts';
import { inPowerShell } from './powerShell.ts';

export type Shell = 'posix' | 'powerShell' | 'cmd';

/** The default shell of a machine's system: PowerShell on Windows. */
export function shellOf(facts: StackFacts): Shell {
  return onWindows(facts) ? 'powerShell' : 'posix';
}

export function onWindows(facts: StackFacts): boolean {
  return knownValue(facts.os)?.family === 'windows';
}

/** A command for a POSIX shell, converted to another shell. */
export function inShell(command: string, shell: Shell): string {
  if (shell === 'posix') return command;
  return shell === 'cmd' ? inCmd(inPowerShell(command)) : inPowerShell(command);
}

/** A command that `shellOf` wrote for Windows, converted to cmd.exe if that is the shell. */
export function fromPowerShell(command: string, shell: Shell): string {
  return shell === 'cmd' ? inCmd(command) : command;
}

/** Commands on one line, each run after the previous one succeeded, as far as the shell supports that. */
export function joined(commands: readonly string[], shell: Shell): string {
  // PowerShell before 7 does not support `&&`.
  return commands.join(shell === 'powerShell' ? '; ' : ' && ');
}

export function setting(variable: string, value: string, shell: Shell): string {
  if (shell === 'posix') return `export ${variable}=${quotePath(value, shell)}`;
  return fromPowerShell(`$env:${variable} = ${inPowerShellQuotes(value)}`, shell);
}

export function unsetting(variable: string, shell: Shell): string {
  return shell === 'posix' ? `unset ${variable}` : fromPowerShell(`Remove-Item Env:${variable}`, shell);
}

/** A path, or any text, as one word of a command. */
export function quotePath(path: string, shell: Shell): string {
  if (/^[\w@%+=:,./\\~-]+$/.test(path)) return path;
  return shell === 'posix' ? `'${path.replaceAll("'", "'\\''")}'` : inPowerShellQuotes(path);
}

/** A program by its path: PowerShell only runs a quoted one after the call operator. */
export function calling(path: string, shell: Shell): string {
  const word = quotePath(path, shell);
  return shell === 'powerShell' && /^["']/.test(word) ? `& ${word}` : word;
}

/** Single quotes if part of it would be expanded inside double quotes. */
function inPowerShellQuotes(word: string): string {
  return /[$`"“”„]/.test(word) ? `'${word.replace(/['‘’‚‛]/g, '$&$&')}'` : `"${word}"`;
}

/**
 * A requirement as one word of a command, in quotes that all shells treat the same. Characters that a shell expands
 * inside them are not part of any requirement and are removed.
 */
export function quoted(requirement: string): string {
  const word = requirement.replace(/["'`$\\]/g, '');
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`;
}
