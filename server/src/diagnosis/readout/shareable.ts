import type { StackFacts } from '../../stack/facts/facts.ts';
import type { Machine } from '../../stack/machine/machine.ts';

type Replace = (text: string) => string;

/** Common user and machine names, which identify nobody and often occur in facts. */
const NAMES_NOBODY =
  /^(root|user|admin|vscode|jovyan|localhost|linux|ubuntu|debian|fedora|windows|wsl|docker|host|server|gpu|nvidia|cuda|python|torch|tensorflow|keras|jax|conda)$/i;

/**
 * Replaces private names in facts for an issue or a forum post: the home folder becomes "~", folders and users with the
 * same name become "user", and this machine and machines in paths become "host". Judge and print the result instead of
 * the original.
 */
export function shareable(facts: StackFacts, machine: Pick<Machine, 'home' | 'hostname'>): StackFacts {
  const replacements = [withoutShares, withoutHome(machine.home), withoutOthers, withoutHost(machine.hostname)];
  return JSON.parse(JSON.stringify(facts), (_key, value: unknown) =>
    typeof value === 'string' ? replacements.reduce((text, replace) => replace(text), value) : value,
  );
}

/** The servers of Windows shared folders; WSL's own and the prefixes of long paths are not servers. */
function withoutShares(text: string): string {
  return text.replace(/(^|[\s;:'"(])\\\\(?!wsl|[?.]\\)[^\\/\s;'"]+(?=\\)/gi, '$1\\\\host');
}

function withoutHome(home: string): Replace {
  const windows = /^([a-z]:)?\\/i.test(home);
  const flags = windows ? 'gi' : 'g';
  const separator = '[\\\\/]';
  const end = `(?=${separator}|$|[\\s:;,'"])`;
  const trimmed = home.replace(/[\\/]+$/, '');
  if (trimmed === '') return (text) => text;
  const whole = new RegExp(`(?<![\\w.-])${escaped(withoutShares(trimmed)).replaceAll('\\\\', separator)}${end}`, flags);
  const user = trimmed.split(/[\\/]/).at(-1) ?? '';
  const named = new RegExp(`(${separator})${escaped(user)}${end}|^${escaped(user)}(?=${separator})`, flags);
  return (text) => {
    const withoutFolder = text.replace(whole, '~');
    return NAMES_NOBODY.test(user) ? withoutFolder : withoutFolder.replace(named, '$1user');
  };
}

/** Other people's folders appear on shared machines, as do Windows folders in WSL; Windows names may contain spaces. */
function withoutOthers(text: string): string {
  return text
    .replace(
      /((?:[A-Z]:|\/mnt\/[a-z]|\/[a-z])[\\/]Users[\\/])(?:[^\\/:;,'"\r\n]+(?=[\\/;'"]|$)|[^\\/\s:;,'"]+)/gi,
      '$1user',
    )
    .replace(/([\\/](?:home|Users)[\\/])[^\\/\s:;,'"]+/gi, '$1user');
}

function withoutHost(hostname: string): Replace {
  const [short = ''] = hostname.split('.');
  if (short.length < 3 || NAMES_NOBODY.test(short)) return (text) => text;
  const names = new RegExp(`(?<![\\w-])(${escaped(hostname)}|${escaped(short)})(?![\\w-])`, 'g');
  return (text) => text.replace(names, 'host');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
