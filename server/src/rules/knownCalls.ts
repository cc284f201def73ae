import type { Callee } from '../python/callee.ts';
import type { Program } from '../python/program.ts';
import type { Call } from '../python/syntax.ts';
import { deviceCallables, loaders, raisingCalls, readers } from './catalogue/catalogue.ts';

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1);

/** What the catalogues' callables are called on whatever they are attributes of. */
const lastParts = new Set(
  [...loaders.keys(), ...readers.keys(), ...deviceCallables.keys(), ...raisingCalls.keys()].map(lastPart),
);

/**
 * What a call calls, if it can be anything that a catalogue, or `own` names of the project, knows. Most calls are
 * methods of other names: those need not be resolved.
 */
export function knownCallee(call: Call, program: Program, own: readonly string[] = []): Callee {
  const { func } = call;
  const isOther =
    func.kind === 'Attribute' &&
    !lastParts.has(func.attr) &&
    !program.flow.assignedParts.has(func.attr) &&
    !own.some((name) => lastPart(name) === func.attr);
  return isOther ? { qualified: [], args: call.args } : program.names.calleeOf(call);
}
