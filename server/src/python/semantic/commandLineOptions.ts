/**
 * Command-line options that the program declares with argparse, click, absl or optparse, by the names of their values.
 */

import type { Call, Expression } from '../syntax/nodes.ts';
import { calledName } from './accessPaths.ts';
import { keywordOf } from './arguments.ts';
import { stringOf } from './literals.ts';
import { push } from './multimap.ts';
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

/** Methods and decorators of argparse, optparse and click that declare an option. */
const OPTION_METHODS = new Set(['add_argument', 'add_option', 'option', 'arg']);

const DECLARATIONS: ReadonlySet<string> = new Set([...ABSL, ...OPTION_METHODS]);

export function optionsOf({ callsSpelled }: ProgramIndex): ReadonlyMap<string, readonly Option[]> {
  const options = new Map<string, Option[]>();
  for (const call of callsSpelled(DECLARATIONS)) {
    const declared = optionDeclaredBy(call);
    if (declared) push(options, declared.name, declared);
  }
  return options;
}

function optionDeclaredBy(call: Call): (Option & { name: string }) | undefined {
  const isAbsl = ABSL.has(calledName(call));
  const strings = call.args.flatMap((arg) => stringOf(arg) ?? []);
  const first = strings[0];
  if (first === undefined) return undefined;
  if (isAbsl) {
    return { call, name: first, default: keywordOf(call, 'default') ?? call.args[1] };
  }
  const dest = keywordOf(call, 'dest');
  const long = strings.find((text) => text.startsWith('--'));
  // click's `--cuda/--no-cuda` names the value after its first half; a bare word is the name itself.
  const spelled = strings.find((text) => !text.startsWith('-')) ?? long ?? first;
  const name = stringOf(dest) ?? spelled.split('/')[0]?.replace(/^-+/, '');
  if (!name) return undefined;
  return {
    call,
    name: name.replaceAll('-', '_'),
    default: keywordOf(call, 'default'),
    action: stringOf(keywordOf(call, 'action')),
  };
}
