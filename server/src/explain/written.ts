import { fillIn } from '../messages/find.ts';
import type { CatalogueRemedy } from '../messages/schema.ts';
import { oneLine } from '../printable.ts';
import type { Written } from './explanation.ts';

type Parts = Readonly<Record<string, string>>;

/**
 * The written form of a remedy, with the captures of the message. Pasted text may come from anywhere, so its words must
 * not end quotes or start a second command; words that could are omitted.
 */
export function writtenWith(
  { command, code, setting }: Partial<Pick<CatalogueRemedy, keyof Written>>,
  parts: Parts,
): Written {
  return {
    command: command === undefined ? null : oneLine(fillIn(command, parts, inShell)),
    code: code === undefined ? null : fillIn(code, parts, inPython),
    setting: setting === undefined ? null : fillIn(setting, parts),
  };
}

export const NOT_WRITTEN: Written = { command: null, code: null, setting: null };

/** Inside quotes of the command, or as a separate word; POSIX shells, PowerShell and cmd parse both alike. */
function inShell(part: string, before: string): string | undefined {
  if (/["'$`!]/.test(part) || part.endsWith('\\')) return undefined;
  if (isOpen(before, '"') || isOpen(before, "'")) return part;
  return /^[\w@%+=:,./\\~-]+$/.test(part) ? part : `"${part}"`;
}

/** Inside a string, or as a name or a whole number. */
function inPython(part: string, before: string): string | undefined {
  if (isOpen(before, '"')) return part.replace(/[\\"]/g, '\\$&');
  return /^(?:[A-Za-z_][\w.]*|\d{1,12})$/.test(part) ? part : undefined;
}

function isOpen(text: string, quote: string): boolean {
  return text.split(quote).length % 2 === 0;
}
