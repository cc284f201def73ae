import type { Program } from '../python/program.ts';
import type { Call } from '../python/syntax.ts';
import { deviceCallables, loaders, raisingCalls, readers } from './catalogue/catalogue.ts';

/** `load` of `torch.load` */
export const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** What the catalogues' callables are called on whatever they are attributes of. */
const lastParts = new Set(
  [...loaders.keys(), ...readers.keys(), ...deviceCallables.keys(), ...raisingCalls.keys()].map(lastPart),
);

/** True for a call that can be of anything that a catalogue knows. Most are methods of other names: those need not be resolved. */
export function mayBeKnown(call: Call, program: Program): boolean {
  return program.flow.callIndex.mayReach(call, lastParts);
}
