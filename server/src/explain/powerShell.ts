/**
 * A command of the catalogue, which is for a POSIX shell, as PowerShell has it: variables are set by statements of their own,
 * and Select-String stands for grep.
 */
export function inPowerShell(command: string): string {
  const statements = command.match(STATEMENT)?.map((each) => each.trim().replace(/(?: &&|;)$/, '')) ?? [];
  const setsNone = !statements.some((each) => ASSIGNMENTS.test(each));
  return (setsNone ? command : statements.flatMap(separately).join('; '))
    .replace(GREP, '| Select-String $1')
    .replace(UNSET, 'Remove-Item Env:$1')
    .replace(HEAD, 'Format-Hex $1 | Select-Object -First 16')
    .replace(/\bsudo (?=nvidia-smi\b)/g, '');
}

/** Up to `&&` or a semicolon, with what is in quotes left whole. */
const STATEMENT = /(?:"[^"]*"|'[^']*'|(?! && |; )[^"'])+(?: && |; |$)/g;

/** Those before a program, or after `export`, but not of what the shell would have to fill in. */
const ASSIGNMENTS = /^(?:export )?((?:[A-Z_][A-Z0-9_]*=(?:"[^"$]*"|'[^']*'|[^\s"'$;]*)(?: |$))+)/;

const ASSIGNMENT = /([A-Z_][A-Z0-9_]*)=("[^"]*"|'[^']*'|\S*)/g;

/** The first bytes of a file, which may be text or not. */
const HEAD = /\bhead -c \d+ (\S+)/g;

const UNSET = /(?<=^|; |&& )unset (\w+)/g;

const GREP = /\| grep (?:-[A-Zm] ?\d+ |-\w+ )*("[^"]*"|\S+)/g;

/** The assignments of a statement, and the program that they are for. */
function separately(statement: string): string[] {
  const [assigned = '', all = ''] = ASSIGNMENTS.exec(statement) ?? [];
  const set = [...all.matchAll(ASSIGNMENT)].map(
    ([, name, value = '']) => `$env:${name} = "${value.replace(/^["']|["']$/g, '')}"`,
  );
  const program = statement.slice(assigned.length);
  return program === '' ? set : [...set, program];
}
