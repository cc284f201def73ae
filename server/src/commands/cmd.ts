/**
 * Converts a command for PowerShell to cmd.exe: `&&` separates commands, `set` sets variables, findstr replaces
 * Select-String, and a quoted program needs no call operator.
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

/** Quoted parts and the text between them. */
const PARTS = /("[^"]*"|'[^']*')/;
