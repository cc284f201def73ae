import { printableLines } from '../printable.ts';

/** Writes a message to standard error. Names of files, rules and settings in it cannot control the terminal. */
export function writeError(message: string): void {
  process.stderr.write(printableLines(message));
}
