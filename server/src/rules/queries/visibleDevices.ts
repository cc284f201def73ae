/** `CUDA_VISIBLE_DEVICES` as set by the program itself. */

import { reasonsOf } from '../../guards/evidence.ts';
import type { Program } from '../../guards/program.ts';
import type { Reason } from '../../guards/reason.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentsOf, callTaking, keywordOf } from '../../python/semantic/arguments.ts';
import { type StringLiteral, stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { spanOf } from '../../python/semantic/source.ts';
import type { Call, Expression, Magic, Node, Subscript } from '../../python/syntax/nodes.ts';
import { matchesIn } from '../engine/dispatch.ts';
import type { Selector } from '../engine/selector.ts';
import { createOrder } from './programOrder.ts';

interface PinnedDevices {
  readonly setting: VisibleSetting;
  /** The first GPU in the list. */
  readonly index: number;
  /** Reasons why the setting is only a hint. */
  readonly reasons: readonly Reason[];
}

const VARIABLE = 'CUDA_VISIBLE_DEVICES';

/** A place where the program changes the variable in its own environment. */
export interface VisibleSetting {
  /** The expression that is evaluated when the variable is set; for a notebook's `%env`, its placeholder. */
  readonly node: Expression;
  /** The span to show for the setting. */
  readonly span: { readonly start: number; readonly end: number };
  /** The expression for the value; absent for `%env`. */
  readonly expression?: Expression;
  /** The value, if it is a literal and does not depend on the previous environment. */
  readonly value?: string;
}

interface VisibleSettings {
  readonly all: readonly VisibleSetting[];
  /** False if the program may change the variable in a way that is not understood. */
  readonly areComplete: boolean;
}

/** Returns the program's changes to the variable; `unknown` for a change that is not understood. */
export const visibleChanges: Selector<VisibleSetting | 'unknown'> = {
  strings: {
    values: new Set([VARIABLE]),
    resolve: (string, program) => [settingBy(string, program) ?? []].flat(),
  },
  calls: {
    names: new Set(),
    hasKeyword: (keyword) => keyword === VARIABLE,
    resolve(call, program) {
      const assigned = keywordOf(call, VARIABLE);
      return assigned && isEnvironment(call, 'update', program) ? [settingOf(call, call, assigned, program)] : [];
    },
  },
  magics: { resolve: settingByMagic },
  triggers: { words: [VARIABLE] },
};

export const visibleSettingsOf = memoize((program: Program): VisibleSettings => {
  const changes = matchesIn(program, visibleChanges);
  const all = changes.filter((change) => change !== 'unknown');
  return { all: all.sort((a, b) => a.span.start - b.span.start), areComplete: all.length === changes.length };
});

/** Calls that only read the variable or print its name. */
const READING = /^(get|getenv|print|info|debug|warning|warn|error|format|join|append|__contains__)$/;

/**
 * Returns the effect of an occurrence of the variable's name: undefined if it has none, otherwise a change or
 * `unknown`.
 */
function settingBy(string: StringLiteral, program: Program): VisibleSetting | 'unknown' | undefined {
  const around = string.parent;
  switch (around?.kind) {
    case 'Subscript':
      return settingOfItem(around, program);
    case 'Call':
    case 'keyword':
    case 'Starred': {
      const call = callTaking(string);
      if (call?.func.kind !== 'Attribute') return undefined;
      const assigned = argumentsOf(call)[1]?.value;
      if (assigned && qualifies(call.func, 'os.putenv', program)) return settingOf(call, call, assigned, program);
      if (assigned && isEnvironment(call, 'setdefault', program)) {
        const { value: _, ...setting } = settingOf(call, call, assigned, program);
        return setting;
      }
      return READING.test(call.func.attr) ? undefined : 'unknown';
    }
    case 'Dict': {
      const call = callTaking(around);
      const assigned = around.values[around.keys.indexOf(string)];
      if (!call) return undefined;
      if (!assigned) return 'unknown';
      if (isEnvironment(call, 'update', program)) return settingOf(call, call, assigned, program);
      // `mock.patch.dict(os.environ, {...})`
      return argumentsOf(call).some(({ value }) => qualifies(value, 'os.environ', program)) ? 'unknown' : undefined;
    }
    // `"CUDA_VISIBLE_DEVICES" in os.environ`, and text
    case 'Compare':
    case 'Expr':
      return undefined;
    // A name that holds the variable's name may be used for anything.
    default:
      return 'unknown';
  }
}

/** `os.environ["CUDA_VISIBLE_DEVICES"] = "0"` */
function settingOfItem(item: Subscript, program: Program): VisibleSetting | 'unknown' | undefined {
  if (!qualifies(item.value, 'os.environ', program)) return undefined;
  const statement = item.parent;
  switch (statement?.kind) {
    case 'Delete':
    case 'AugAssign':
      return 'unknown';
    case 'AnnAssign':
      return statement.target === item && statement.value
        ? settingOf(item, statement, statement.value, program)
        : undefined;
    case 'Assign':
      if (!statement.targets.includes(item)) return undefined;
      return statement.targets.length > 1 ? 'unknown' : settingOf(item, statement, statement.value, program);
    default:
      return undefined;
  }
}

const settingOf = (node: Expression, shown: Node, expression: Expression, program: Program): VisibleSetting => {
  const value = literalIn(expression, program);
  return {
    node,
    span: spanOf(shown),
    expression,
    value,
  };
};

/** Returns the constant text of an expression. */
function literalIn(expression: Expression, program: Program): string | undefined {
  if (expression.kind !== 'Name') return stringOf(expression);
  const [only, ...others] = program.names.definitionsOf(expression);
  return others.length === 0 && only?.kind === 'value' ? stringOf(only.value) : undefined;
}

const qualifies = (expression: Expression, name: string, program: Program): boolean =>
  program.names.qualify(expression).includes(name);

const isEnvironment = (call: Call, method: string, program: Program): boolean =>
  qualifies(call.func, `os.environ.${method}`, program);

const ENV_MAGIC = /^%(?:set_)?env[ \t]+CUDA_VISIBLE_DEVICES(?:[ \t]*=[ \t]*|[ \t]+)([^\s#]*)/;

/** `%env CUDA_VISIBLE_DEVICES=0` */
function settingByMagic(magic: Magic, program: Program): VisibleSetting[] {
  const { start, end } = magic;
  const line = program.text.slice(start, end).trimEnd();
  const match = ENV_MAGIC.exec(line);
  if (!match) return [];
  const value = (match[1] ?? '').replace(/^(["'])(.*)\1$/, '$2');
  return [
    {
      node: magic,
      span: { start, end: start + line.length },
      // IPython expands `{gpu}` and `$gpu`.
      ...(!/[{$]/.test(value) && { value }),
    },
  ];
}

/** Returns the number of devices that a value makes visible if none of them is missing; undefined if it is unclear. */
function countNamed(value: string): number | undefined {
  const entries = value.split(',').map((entry) => entry.trim());
  if (value.trim() === '' || entries[0] === '-1') return 0;
  // A list ends before its first invalid entry.
  const end = entries.indexOf('-1');
  const named = end < 0 ? entries : entries.slice(0, end);
  const isUnderstood =
    named.every((entry) => /^\d+$/.test(entry)) || named.every((entry) => /^GPU-[\w-]+$/.test(entry));
  return isUnderstood && new Set(named).size === named.length ? named.length : undefined;
}

/** Returns the devices that the program makes visible where `node` runs, regardless of the environment. */
export function visibleAt(program: Program, node: Node): { setting: VisibleSetting; count: number } | undefined {
  const { settings, count, order } = understoodIn(program);
  if (count === undefined) return undefined;
  const done = order(node);
  const setting = done && settings.get(done);
  return setting && { setting, count };
}

/** Returns the settings, keyed by the evaluated expression, with the maximum number of devices if known. */
const understoodIn = memoize((program: Program) => {
  const { all, areComplete } = visibleSettingsOf(program);
  const counts = all.map(({ value }) => (value === undefined ? undefined : countNamed(value)));
  const settings = new Map<Expression, VisibleSetting>(all.map((setting) => [setting.node, setting]));
  const isUnderstood = all.length > 0 && areComplete && !counts.includes(undefined);
  return {
    settings,
    count: isUnderstood ? counts.reduce<number>((most, each) => Math.max(most, each ?? 0), 0) : undefined,
    order: createOrder(program, (expression) => settings.has(expression)),
  };
});

/** Returns the settings that name a GPU by its number. The first GPU, no GPU, and all GPUs do not count as pins. */
export function pinnedVisibleDevices(program: Program): PinnedDevices[] {
  return visibleSettingsOf(program).all.flatMap((setting) => {
    const entries = setting.value?.split(',').map((entry) => entry.trim()) ?? [];
    if (entries.length === 0 || !entries.every((entry) => /^\d+$/.test(entry))) return [];
    const numbers = entries.map(Number);
    const [index = 0] = numbers;
    if (index === 0 && numbers.length === 1) return [];
    const isFromFirst = numbers.every((number, at) => number === at);
    const evidence = program.guards.evidenceAt(conditionsOf(setting.node));
    const reasons = isFromFirst
      ? [{ because: 'CUDA ignores missing GPUs in the list', at: setting.span }]
      : reasonsOf(evidence);
    return [{ setting, index, reasons }];
  });
}
