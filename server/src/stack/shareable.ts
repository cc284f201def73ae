import type { StackFacts } from './facts.ts';

/**
 * The same facts for an issue or a forum post: the home folder is "~", and a folder or a user named like it elsewhere
 * is "user". Judge and print these instead of the others; `home` is `machine.home`.
 */
export function shareable(facts: StackFacts, home: string): StackFacts {
  const withoutIdentity = redactor(home);
  return JSON.parse(JSON.stringify(facts), (_key, value: unknown) =>
    typeof value === 'string' ? withoutIdentity(value) : value,
  );
}

function redactor(home: string): (text: string) => string {
  const windows = /^[a-z]:\\/i.test(home);
  const flags = windows ? 'gi' : 'g';
  const separator = '[\\\\/]';
  const end = `(?=${separator}|$|[\\s:;,'"])`;
  const trimmed = home.replace(/[\\/]+$/, '');
  const whole = new RegExp(escaped(trimmed).replaceAll('\\\\', separator) + end, flags);
  const user = trimmed.split(/[\\/]/).at(-1) ?? '';
  // "root" names nobody.
  const named =
    user === '' || user === 'root' ? undefined : new RegExp(`(${separator}|^)${escaped(user)}${end}`, flags);
  // Other people's folders show on shared machines.
  const others = /((?:^|[\s:;'"])(?:\/home|\/Users|[A-Z]:[\\/]Users)[\\/])[^\\/\s:;,'"]+/gi;
  return (text) => {
    const withoutHome = trimmed === '' ? text : text.replace(whole, '~');
    const withoutUser = named === undefined ? withoutHome : withoutHome.replace(named, '$1user');
    return withoutUser.replace(others, '$1user');
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
