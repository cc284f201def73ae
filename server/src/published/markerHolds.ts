/** Conditions of PEP 508 (`sys_platform == "linux" and python_version < "3.13"`), decided for an environment. */
import { normalized } from './packageName.ts';
import type { WheelSystem } from './releases/publishedWheels.ts';
import { satisfiesAsAny } from './specifier.ts';

/** What is known of an environment that conditions are about. */
export interface MarkerEnvironment {
  readonly system?: WheelSystem | undefined;
  /** "3.11.7", or "3.11" where only that is known. */
  readonly python?: string | undefined;
  /** The extras that are asked for. */
  readonly extras?: readonly string[];
}

/** Whether a condition holds in an environment; undefined where that takes more than is known of it. */
export function markerHolds(marker: string, environment: MarkerEnvironment): boolean | undefined {
  if (marker.trim() === '') return true;
  const tokens = marker.match(/[()]|"[^"]*"|'[^']*'|[<>=!~]=?=?|[\w.]+/g) ?? [];
  let at = 0;
  const either = (): boolean | undefined => {
    let holds = both();
    while (tokens[at] === 'or') {
      at++;
      holds = or(holds, both());
    }
    return holds;
  };
  const both = (): boolean | undefined => {
    let holds = single();
    while (tokens[at] === 'and') {
      at++;
      holds = and(holds, single());
    }
    return holds;
  };
  const single = (): boolean | undefined => {
    if (tokens[at] === '(') {
      at++;
      const holds = either();
      at++;
      return holds;
    }
    const isNot = tokens[at + 1] === 'not';
    const [left = '', operator = ''] = [tokens[at], tokens[at + (isNot ? 2 : 1)]];
    const right = tokens[at + (isNot ? 3 : 2)] ?? '';
    at += isNot ? 4 : 3;
    return clauseHolds(left, isNot ? `not ${operator}` : operator, right, environment);
  };
  const holds = either();
  return at === tokens.length ? holds : undefined;
}

function or(one: boolean | undefined, other: boolean | undefined): boolean | undefined {
  return one || other ? true : one === undefined || other === undefined ? undefined : false;
}

function and(one: boolean | undefined, other: boolean | undefined): boolean | undefined {
  return one === false || other === false ? false : one === undefined || other === undefined ? undefined : true;
}

/** The one way round in which nearly all are written: a variable on the left. */
function clauseHolds(
  variable: string,
  operator: string,
  quoted: string,
  { system, python, extras }: MarkerEnvironment,
): boolean | undefined {
  const value = /^(["'])(.*)\1$/.exec(quoted)?.[2];
  if (value === undefined) return undefined;
  const isIn = (own: boolean) => (operator === '==' ? own : operator === '!=' ? !own : undefined);
  switch (variable) {
    case 'sys_platform':
    case 'platform_system':
    case 'os_name':
    case 'platform_machine':
      return system === undefined ? undefined : ofSystem(variable, operator, value, system);
    case 'python_version':
    case 'python_full_version':
      return python === undefined ? undefined : ofPython(variable, operator, value, python);
    case 'implementation_name':
    case 'platform_python_implementation':
      return isIn(value.toLowerCase() === 'cpython');
    case 'extra':
      return extras === undefined ? undefined : isIn(extras.some((each) => normalized(each) === normalized(value)));
    default:
      return undefined;
  }
}

/** What each variable is on a system, as Python names it. */
const VALUES: Readonly<Record<WheelSystem, Readonly<Record<string, string>>>> = {
  l: { sys_platform: 'linux', platform_system: 'Linux', os_name: 'posix', platform_machine: 'x86_64' },
  a: { sys_platform: 'linux', platform_system: 'Linux', os_name: 'posix', platform_machine: 'aarch64' },
  w: { sys_platform: 'win32', platform_system: 'Windows', os_name: 'nt', platform_machine: 'AMD64' },
  m: { sys_platform: 'darwin', platform_system: 'Darwin', os_name: 'posix', platform_machine: 'arm64' },
  i: { sys_platform: 'darwin', platform_system: 'Darwin', os_name: 'posix', platform_machine: 'x86_64' },
};

function ofSystem(variable: string, operator: string, value: string, system: WheelSystem): boolean | undefined {
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

/** Of "3.11" it is not known how a full version compares with one of three parts. */
function ofPython(variable: string, operator: string, value: string, python: string): boolean | undefined {
  const minor = python.split('.').slice(0, 2).join('.');
  const own = variable === 'python_version' ? minor : python;
  if (own === minor && variable !== 'python_version') return undefined;
  return /^(?:[<>]=?|[=!~]=)$/.test(operator) && /^\d[\d.*]*$/.test(value)
    ? satisfiesAsAny(own, `${operator}${value}`)
    : undefined;
}
