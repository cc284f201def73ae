/** PEP 508 conditions (`sys_platform == "linux" and python_version < "3.13"`), evaluated for an environment. */
import { normalized } from './packageName.ts';
import type { WheelSystem } from './platforms.ts';
import { remembering } from './remembering.ts';
import { satisfiesAsAny } from './specifier.ts';
import { minorOf } from './versions.ts';

/** The known properties of an environment, for conditions. */
export interface MarkerEnvironment {
  readonly system?: WheelSystem | undefined;
  /** "3.11.7", or "3.11" if only that is known. */
  readonly python?: string | undefined;
  /** The requested extras. */
  readonly extras?: readonly string[];
}

/** One comparison: a variable, an operator and a value. */
interface Clause {
  readonly variable: string;
  readonly operator: string;
  readonly value: string | undefined;
}

type Marker = Clause | { readonly either: readonly Marker[] } | { readonly all: readonly Marker[] };

/** True if a condition holds in an environment; undefined if that depends on unknown properties. */
export function markerHolds(marker: string, environment: MarkerEnvironment): boolean | undefined {
  if (marker.trim() === '') return true;
  const { parsed } = parsedMarker(marker);
  return parsed && holds(parsed, environment);
}

/** Returns the extra named by a condition such as `extra == "and-cuda"`; undefined if it names none. */
export function extraOf(marker: string): string | undefined {
  const { parsed } = parsedMarker(marker);
  return parsed && clausesOf(parsed).find(({ variable, operator }) => variable === 'extra' && operator === '==')?.value;
}

function clausesOf(marker: Marker): readonly Clause[] {
  if ('either' in marker) return marker.either.flatMap(clausesOf);
  return 'all' in marker ? marker.all.flatMap(clausesOf) : [marker];
}

/** Conditions of real packages have dozens of brackets; thousands would overflow the stack. */
const MOST_TOKENS = 1000;

/** A parsed condition, cached: those in an environment file are evaluated for dozens of environments. */
const parsedMarker = remembering((marker): { readonly parsed: Marker | undefined } => {
  const tokens = marker.match(/[()]|"[^"]*"|'[^']*'|[<>=!~]=?=?|[\w.]+/g) ?? [];
  if (tokens.length > MOST_TOKENS) return { parsed: undefined };
  let at = 0;
  const either = (): Marker => {
    const parts = [all()];
    while (tokens[at] === 'or') {
      at++;
      parts.push(all());
    }
    return { either: parts };
  };
  const all = (): Marker => {
    const parts = [single()];
    while (tokens[at] === 'and') {
      at++;
      parts.push(single());
    }
    return { all: parts };
  };
  const single = (): Marker => {
    if (tokens[at] === '(') {
      at++;
      const inner = either();
      at++;
      return inner;
    }
    const isNot = tokens[at + 1] === 'not';
    const [variable = '', operator = ''] = [tokens[at], tokens[at + (isNot ? 2 : 1)]];
    const quoted = tokens[at + (isNot ? 3 : 2)] ?? '';
    at += isNot ? 4 : 3;
    return { variable, operator: isNot ? `not ${operator}` : operator, value: /^(["'])(.*)\1$/.exec(quoted)?.[2] };
  };
  const parsed = either();
  return { parsed: at === tokens.length ? parsed : undefined };
});

function holds(marker: Marker, environment: MarkerEnvironment): boolean | undefined {
  if ('either' in marker) return not(allOf(marker.either.map((part) => not(holds(part, environment)))));
  if ('all' in marker) return allOf(marker.all.map((part) => holds(part, environment)));
  return clauseHolds(marker, environment);
}

/** False if any of them is; otherwise undefined if any is. */
function allOf(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false;
  return parts.includes(undefined) ? undefined : true;
}

function not(part: boolean | undefined): boolean | undefined {
  return part === undefined ? undefined : !part;
}

/** The order of nearly all comparisons: the variable on the left. */
function clauseHolds(
  { variable, operator, value }: Clause,
  { system, python, extras }: MarkerEnvironment,
): boolean | undefined {
  if (value === undefined) return undefined;
  const isIn = (own: boolean) => (operator === '==' ? own : operator === '!=' ? !own : undefined);
  switch (variable) {
    case 'sys_platform':
    case 'platform_system':
    case 'os_name':
    case 'platform_machine':
      return system === undefined ? undefined : systemHolds(variable, operator, value, system);
    case 'python_version':
    case 'python_full_version':
      return python === undefined ? undefined : pythonHolds(variable, operator, value, python);
    case 'implementation_name':
    case 'platform_python_implementation':
      return isIn(value.toLowerCase() === 'cpython');
    case 'extra':
      return extras === undefined ? undefined : isIn(extras.some((each) => normalized(each) === normalized(value)));
    default:
      return undefined;
  }
}

/** The value of each variable on a system, in Python's names. */
const VALUES: Readonly<Record<WheelSystem, Readonly<Record<string, string>>>> = {
  linux: { sys_platform: 'linux', platform_system: 'Linux', os_name: 'posix', platform_machine: 'x86_64' },
  'linux-arm': { sys_platform: 'linux', platform_system: 'Linux', os_name: 'posix', platform_machine: 'aarch64' },
  windows: { sys_platform: 'win32', platform_system: 'Windows', os_name: 'nt', platform_machine: 'AMD64' },
  macos: { sys_platform: 'darwin', platform_system: 'Darwin', os_name: 'posix', platform_machine: 'arm64' },
  'macos-intel': { sys_platform: 'darwin', platform_system: 'Darwin', os_name: 'posix', platform_machine: 'x86_64' },
};

function systemHolds(variable: string, operator: string, value: string, system: WheelSystem): boolean | undefined {
  const own = VALUES[system][variable] ?? '';
  const isListed = value.split(/[\s,]+/).includes(own);
  switch (operator) {
    case '==':
      return own === value;
    case '!=':
      return own !== value;
    case 'in':
      return isListed;
    case 'not in':
      return !isListed;
    default:
      return undefined;
  }
}

/** The result of comparing "3.11" with a full version of three numbers is unknown. */
function pythonHolds(variable: string, operator: string, value: string, python: string): boolean | undefined {
  const minor = minorOf(python);
  const own = variable === 'python_version' ? minor : python;
  if (own === minor && variable !== 'python_version') return undefined;
  return /^(?:[<>]=?|[=!~]=)$/.test(operator) && /^\d[\d.*]*$/.test(value)
    ? satisfiesAsAny(own, `${operator}${value}`)
    : undefined;
}
