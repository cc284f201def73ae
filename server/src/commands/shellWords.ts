/** Words of commands, for PowerShell and for POSIX shells. */

/** The path as one word of a command, for PowerShell or for a POSIX shell. */
export function quotePath(path: string, windows: boolean): string {
  if (/^[\w@%+=:,./\\~-]+$/.test(path)) return path;
  return windows ? inPowerShell(path) : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Single quotes where double ones would have a part of it expanded. */
export function inPowerShell(word: string): string {
  return /[$`"“”„]/.test(word) ? `'${word.replace(/['‘’‚‛]/g, '$&$&')}'` : `"${word}"`;
}

/**
 * A requirement as one word of a command, in quotes that POSIX shells and PowerShell read alike. What either expands within
 * them is no part of a requirement and is left out.
 */
export function quoted(requirement: string): string {
  const word = requirement.replace(/["'`$\\]/g, '');
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word}"`;
}
