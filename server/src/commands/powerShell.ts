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
