import { remembering } from '../published/remembering.ts';
import { parseRequirement, specifierOf } from '../published/requirement.ts';
import { satisfies } from '../published/specifier.ts';

/** A package that a project needs. */
export interface Need {
  /** Normalized name: lower case, with hyphens. */
  readonly name: string;
  readonly extras: readonly string[];
  /** A PEP 440 specifier; empty for any version. */
  readonly specifier: string;
  /** The origin: "asked for", "requirements.txt", "imported by train.py". */
  readonly because: string;
  /** An installed version that is kept if it fits. */
  readonly inUse?: string;
}

/** The requirements of a project on its environment. */
export interface Needs {
  /** Its PEP 440 specifier for Python; null: none. */
  readonly python: { readonly specifier: string; readonly because: string } | null;
  readonly packages: readonly Need[];
  /** Requirements that a plan does not include, each a sentence. */
  readonly unread?: readonly string[];
}

/** Parses a requirement such as "torch==2.6" or "jax[cuda12]>=0.7"; undefined for anything else. */
export function needOf(requirement: string, because: string): Need | undefined {
  const parsed = parseRequirement(requirement);
  if (parsed === undefined || parsed.url !== undefined) return undefined;
  const specifier = specifierOf(parsed.clauses.text);
  if (specifier !== '' && !isSpecifier(specifier)) return undefined;
  return { name: parsed.name, extras: parsed.extras.map(({ text }) => text), specifier, because };
}

function isSpecifier(text: string): boolean {
  return text.split(',').every((each) => /^(===?|~=|!=|<=?|>=?)v?\d[\w.+!*-]*$/.test(each));
}

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

/** "torch==2.6", "jax[cuda12]", in requirement syntax. */
export function written({ name, extras, specifier }: Pick<Need, 'name' | 'extras' | 'specifier'>): string {
  return `${name}${extras.length > 0 ? `[${extras.join(',')}]` : ''}${specifier}`;
}
