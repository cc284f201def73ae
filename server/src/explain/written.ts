import { fillIn } from '../messages/find.ts';
import type { Remedy } from '../messages/schema.ts';
import { oneLine } from '../printable.ts';
import type { Written } from './explanation.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * How something that can be done is written, with what the message has captured. A pasted text may come from anywhere: what
 * it says ends no quotes and begins no second command, and is left out where it could.
 */
export function writtenWith({ command, code, setting }: Partial<Pick<Remedy, keyof Written>>, parts: Parts): Written {
  return {
    command: command === undefined ? null : oneLine(fillIn(command, parts, inShell)),
    code: code === undefined ? null : fillIn(code, parts, inPython),
    setting: setting === undefined ? null : fillIn(setting, parts),
  };
}

export const NOT_WRITTEN: Written = { command: null, code: null, setting: null };

/** Within quotes of the command, or as a word of its own; POSIX shells, PowerShell and cmd read both alike. */
function inShell(part: string, before: string): string | undefined {
  if (/["'$`!]/.test(part) || part.endsWith('\\')) return undefined;
  if (isOpen(before, '"') || isOpen(before, "'")) return part;
  return /^[\w@%+=:,./\\~-]+$/.test(part) ? part : `"${part}"`;
}

/** Within a string, or as a name or a whole number. */
function inPython(part: string, before: string): string | undefined {
  if (isOpen(before, '"')) return part.replace(/[\\"]/g, '\\$&');
  return /^(?:[A-Za-z_][\w.]*|\d{1,12})$/.test(part) ? part : undefined;
}

function isOpen(text: string, quote: string): boolean {
  return text.split(quote).length % 2 === 0;
}
