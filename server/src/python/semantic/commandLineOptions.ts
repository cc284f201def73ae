/** Command-line options that the program declares with argparse, click, absl or optparse, by the name their value gets. */

import type { Call, Expression } from '../syntax.ts';
import { calledName } from './accessPaths.ts';
import { push } from './definitions.ts';
import type { ProgramIndex } from './programIndex.ts';

export interface Option {
  readonly call: Call;
  readonly default?: Expression;
  /** `store_true`, `store_false`, ... as written. */
  readonly action?: string;
}

const ABSL = new Set([
  'DEFINE_string',
  'DEFINE_bool',
  'DEFINE_boolean',
  'DEFINE_integer',
  'DEFINE_enum',
  'DEFINE_float',
  'DEFINE_list',
  'DEFINE_multi_string',
]);

/** Methods and decorators of argparse, optparse and click. */
const DECLARING = new Set(['add_argument', 'add_option', 'option', 'arg']);

const DECLARATIONS: ReadonlySet<string> = new Set([...ABSL, ...DECLARING]);

export function optionsOf({ callsSpelled }: ProgramIndex): ReadonlyMap<string, readonly Option[]> {
  const options = new Map<string, Option[]>();
  for (const call of callsSpelled(DECLARATIONS)) {
    const declared = declaredBy(call);
    if (declared) push(options, declared.name, declared);
  }
  return options;
}

function declaredBy(call: Call): (Option & { name: string }) | undefined {
  const isAbsl = ABSL.has(calledName(call));
  const keyword = (name: string) => call.args.find((arg) => arg.name === name)?.value;
  const strings = call.args.flatMap((arg) =>
    arg.name === undefined && arg.value.kind === 'Str' && arg.value.value !== undefined ? [arg.value.value] : [],
  );
  const first = strings[0];
  if (first === undefined) return undefined;
  if (isAbsl) {
    const byDefault = keyword('default') ?? call.args[1]?.value;
    return { call, name: first, ...(byDefault && { default: byDefault }) };
  }
  const dest = keyword('dest');
  const long = strings.find((text) => text.startsWith('--'));
  // click's `--cuda/--no-cuda` names the value by its first half; a bare word names it outright.
  const spelled = strings.find((text) => !text.startsWith('-')) ?? long ?? first;
  const name =
    dest?.kind === 'Str' && dest.value !== undefined ? dest.value : spelled.split('/')[0]?.replace(/^-+/, '');
  if (!name) return undefined;
  const action = keyword('action');
  const byDefault = keyword('default');
  return {
    call,
    name: name.replaceAll('-', '_'),
    ...(byDefault && { default: byDefault }),
    ...(action?.kind === 'Str' && action.value !== undefined && { action: action.value }),
  };
}
