import { remembering } from '../published/remembering.ts';
import { satisfies } from '../published/specifier.ts';

/** True if a version satisfies a specifier; local tags such as "+cu126" count only if the specifier has one. */
export function fits(version: string, specifier: string): boolean {
  return specifier === '' || fitting(specifier)(version);
}

const fitting = remembering((specifier) => {
  const isLocal = specifier.includes('+');
  const range = specifier.replaceAll('===', '==');
  return remembering((version) => satisfies(isLocal ? version : (version.split('+')[0] ?? version), range));
});

/** True if some version satisfies both, tested at the versions that they name and directly after those. */
export function overlap(one: string, other: string): boolean {
  const named = [...`${one},${other}`.matchAll(/(\d+(?:\.\d+)*)(?:\.\*)?((?:\.post|rc|a|b)\d+)?/g)];
  const tried = named.flatMap(([, version = '', suffix = '']) => [
    `${version}${suffix}`,
    `${version}.1`,
    `${version}.post1`,
    before(version),
  ]);
  return one === '' || other === '' || tried.some((version) => fits(version, one) && fits(version, other));
}

/** A version directly before that one: "2.5.99" for "2.6". */
function before(version: string): string {
  const parts = version.split('.').map(BigInt);
  while (parts.length > 1 && parts.at(-1) === 0n) parts.pop();
  const last = parts.pop() || 1n;
  return [...parts, last - 1n, 99n].join('.');
}
