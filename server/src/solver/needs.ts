import { parseRequirement, specifierOf } from '../published/requirement.ts';

/** A package that a project needs. */
export interface Need {
  /** Normalized name: lower case, with hyphens. */
  readonly name: string;
  readonly extras: readonly string[];
  /** A PEP 440 specifier; empty for any version. */
  readonly specifier: string;
  /** The origin: "asked for", "requirements.txt", "imported by train.py". */
  readonly because: string;
  /** An installed or locked version that is kept if it fits. */
  readonly inUse?: string;
  /** Its condition, if that depends on the Python of the environment. */
  readonly marker?: string;
}

/** A conda package, with its version in conda's syntax: "0.22.*", ">=3.9", or "*" for any. */
export interface CondaNeed {
  readonly name: string;
  readonly version: string;
}

/** A requirement that a plan does not include. */
export interface LeftOut {
  /** As it is written, or the file that contains it. */
  readonly requirement: string;
  /** A clause without its period. */
  readonly reason: string;
}

/** The requirements of a project on its environment. */
export interface Needs {
  /** Its PEP 440 specifier for Python; null: none. */
  readonly python: { readonly specifier: string; readonly because: string } | null;
  readonly packages: readonly Need[];
  /** Packages whose condition depends on the Python that is chosen. */
  readonly conditional?: readonly Need[];
  /** conda packages that are not part of the stack, with the channels that have them. */
  readonly conda?: readonly CondaNeed[];
  readonly condaChannels?: readonly string[];
  readonly leftOut?: readonly LeftOut[];
  /** The project's lock file. */
  readonly lock?: string;
}

/** The origin of a requirement that the user typed. */
export const ASKED_FOR = 'asked for';

/** Returns a requirement with its origin in parentheses, unless the user has just typed it. */
export function withOrigin(requirement: string, because: string): string {
  return because === ASKED_FOR ? requirement : `${requirement} (${because})`;
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

/** "torch==2.6", "jax[cuda12]", in requirement syntax. */
export function written({ name, extras, specifier }: Pick<Need, 'name' | 'extras' | 'specifier'>): string {
  return `${name}${extras.length > 0 ? `[${extras.join(',')}]` : ''}${specifier}`;
}
