/** Conditions of PEP 508, as far as rules want to know of them. */
import type { WheelSystem } from '../stack/releases/publishedWheels.ts';

/** False where two requirements are never installed together, as far as their conditions tell. */
export function mayMeet(one: string, other: string): boolean {
  return one === '' || other === '' || plain(one) === plain(other);
}

function plain(marker: string): string {
  return marker.replace(/\s+/g, '').replaceAll("'", '"');
}

/** What each value of a condition on the system leaves. */
const SYSTEMS: Readonly<Record<string, string>> = {
  win32: 'w',
  Windows: 'w',
  nt: 'w',
  darwin: 'mi',
  Darwin: 'mi',
  linux: 'la',
  linux2: 'la',
  Linux: 'la',
  arm64: 'm',
  aarch64: 'a',
  x86_64: 'li',
  AMD64: 'w',
};

/** The only systems that a condition lets through; undefined where it says nothing of them, or nothing plain. */
export function systemsOf(marker: string): WheelSystem[] | undefined {
  if (/\bor\b|\bnot\b/.test(marker)) return undefined;
  const clauses = [
    ...marker.matchAll(/\b(?:sys_platform|platform_system|os_name|platform_machine)\s*==\s*["'](\w+)["']/g),
  ].map(([, value = '']) => SYSTEMS[value]);
  const known = clauses.filter((each) => each !== undefined);
  if (known.length === 0 || known.length < clauses.length) return undefined;
  return (['l', 'a', 'i', 'w', 'm'] as const).filter((system) => known.every((each) => each.includes(system)));
}
