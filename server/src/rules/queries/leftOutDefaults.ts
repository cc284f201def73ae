/** Defaults that the project's own calls use. */
import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentFor, argumentsOf, parametersOf } from '../../python/semantic/arguments.ts';
import { qualifiedName } from '../../python/semantic/qualifiedName.ts';
import type { Expression } from '../../python/syntax/nodes.ts';
import { cpuOffersIn } from './cpuOffers.ts';

/** True if an unguarded call, in a file that offers the CPU, leaves out the parameter of a function with this default. */
export function isLeftOut(value: Expression, program: Program): boolean {
  const around = value.parent;
  const owner = around?.kind === 'arguments' ? around.parent : undefined;
  if (around?.kind !== 'arguments' || owner?.kind !== 'FunctionDef' || owner.parent?.kind === 'ClassDef') return false;
  const parameters = parametersOf(around);
  const at = parameters.findIndex((parameter) => parameter.default === value);
  const name = parameters[at]?.name;
  if (name === undefined) return false;
  const isOwnCall = program.index.callsSpelled(cpuOffersIn(program).length > 0 ? [owner.name] : []).some((call) => {
    if (program.names.declarationOf(call.func) !== owner) return false;
    const { argument, maybe } = argumentFor(argumentsOf(call), name, at);
    return !argument && !maybe && program.guards.evidenceAt(conditionsOf(call)).level === 'none';
  });
  return isOwnCall || program.project?.callLeavingOut(qualifiedName(owner, program.names), name, at) !== undefined;
}
