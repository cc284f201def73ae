import { knownValue, type StackFacts } from '../stack/facts/facts.ts';

/** The syntax of shells for words, variables and several commands on one line. */

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
export function joinedCommands(commands: readonly string[], shell: Shell): string {
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
export function quotedRequirement(requirement: string): string {
  const word = requirement.replace(/["'`$\\]/g, '');
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`;
}

/**
 * Converts a command for PowerShell to cmd.exe: `&&` separates commands, `set` sets variables, findstr replaces
 * Select-String, and a quoted program needs no call operator.
 */
function inCmd(command: string): string {
  return command
    .split(PARTS)
    .map((part) => (/^["']/.test(part) ? part : part.replace(/; /g, ' && ').replace(/(^|&& )& $/, '$1')))
    .join('')
    .replace(/\$env:(\w+) = "([^"]*)"/g, 'set "$1=$2"')
    .replace(/\bRemove-Item Env:(\w+)/g, 'set $1=')
    .replace(/\| Select-String /g, '| findstr ');
}

/** Quoted parts and the text between them. */
const PARTS = /("[^"]*"|'[^']*')/;

/**
 * Converts a command for a POSIX shell to PowerShell: separate statements set variables, and Select-String replaces
 * grep.
 */
export function inPowerShell(command: string): string {
  return statementsOf(command)
    .flatMap(separately)
    .join('; ')
    .replace(GREP, '| Select-String $1')
    .replace(UNSET, 'Remove-Item Env:$1')
    .replace(HEAD, 'Format-Hex $1 | Select-Object -First 16')
    .replace(/\bsudo (?=nvidia-smi\b)/g, '');
}

/** PowerShell before 7 does not support `&&`. A command with unclosed quotes is not split. */
function statementsOf(command: string): string[] {
  const statements = command.match(STATEMENT) ?? [];
  if (statements.join('') !== command) return [command];
  return statements.map((each) => each.trim().replace(/(?: &&|;)$/, ''));
}

/** Up to `&&` or a semicolon, without splitting quoted parts. */
const STATEMENT = /(?:"[^"]*"|'[^']*'|(?! && |; )[^"'])+(?: && |; |$)/g;

/** Assignments before a program or after `export`, except those that the shell would have to expand. */
const ASSIGNMENTS = /^(?:export )?((?:[A-Z_][A-Z0-9_]*=(?:"[^"$]*"|'[^']*'|[^\s"'$;]*)(?: |$))+)/;

const ASSIGNMENT = /([A-Z_][A-Z0-9_]*)=("[^"]*"|'[^']*'|\S*)/g;

/** The first bytes of a file, text or binary. */
const HEAD = /\bhead -c \d+ (\S+)/g;

const UNSET = /(?<=^|; )unset (\w+)/g;

const GREP = /\| grep (?:-[A-Zm] ?\d+ |-\w+ )*("[^"]*"|\S+)/g;

/** A statement's assignments, followed by its program. */
function separately(statement: string): string[] {
  const [assigned = '', all = ''] = ASSIGNMENTS.exec(statement) ?? [];
  const set = [...all.matchAll(ASSIGNMENT)].map(
    ([, name, value = '']) => `$env:${name} = "${value.replace(/^["']|["']$/g, '')}"`,
  );
  const program = statement.slice(assigned.length);
  return program === '' ? set : [...set, program];
}
