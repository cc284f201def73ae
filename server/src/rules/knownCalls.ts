import type { Program } from '../python/program.ts';
import type { Call } from '../python/syntax.ts';
import { deviceCallables, loaders, raisingCalls, readers } from './catalogue/catalogue.ts';

/** `load` of `torch.load` */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** What the catalogues' callables are called on whatever they are attributes of. */
const lastParts = new Set(
  [...loaders.keys(), ...readers.keys(), ...deviceCallables.keys(), ...raisingCalls.keys()].map(lastPart),
);

const known = new WeakMap<Program, ReadonlySet<Call>>();

/** The calls that can be of anything that a catalogue knows. Most calls are methods of other names: those need not be resolved. */
export function knownCallsOf(program: Program): ReadonlySet<Call> {
  const calls = known.get(program) ?? new Set(program.flow.callIndex.reaching(lastParts));
  known.set(program, calls);
  return calls;
}
