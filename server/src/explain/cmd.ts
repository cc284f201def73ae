/**
 * A command for PowerShell as cmd.exe has it: "&&" parts commands, `set` sets variables, findstr stands for grep, and a quoted
 * program needs no call operator.
 */
export function inCmd(command: string): string {
  return command
    .split(PARTS)
    .map((part) => (/^["']/.test(part) ? part : part.replace(/; /g, ' && ').replace(/(^|&& )& $/, '$1')))
    .join('')
    .replace(/\$env:(\w+) = "([^"]*)"/g, 'set "$1=$2"')
    .replace(/\bRemove-Item Env:(\w+)/g, 'set $1=')
    .replace(/\| Select-String /g, '| findstr ');
}

/** What stands in quotes, and what does not. */
const PARTS = /("[^"]*"|'[^']*')/;
