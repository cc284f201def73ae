/** Defaults that the program's own calls use. */
import type { Program } from '../../guards/program.ts';
import { conditionsOf } from '../../python/semantic/annotations.ts';
import { argumentFor, argumentsOf, parametersOf } from '../../python/semantic/arguments.ts';
import type { Call, Expression } from '../../python/syntax/nodes.ts';
import { cpuOffersIn } from './cpuOffers.ts';

/** Returns an unguarded call that leaves out the parameter with this default, in a program that offers the CPU. */
export function callLeavingOut(value: Expression, program: Program): Call | undefined {
  const around = value.parent;
  const owner = around?.kind === 'arguments' ? around.parent : undefined;
  if (around?.kind !== 'arguments' || owner?.kind !== 'FunctionDef' || cpuOffersIn(program).length === 0)
    return undefined;
  const parameters = parametersOf(around);
  const isMethod = owner.parent?.kind === 'ClassDef';
  const at = parameters.findIndex((parameter) => parameter.default === value);
  const name = parameters[at]?.name;
  if (name === undefined || isMethod) return undefined;
  return program.index.callsSpelled([owner.name]).find((call) => {
    if (program.names.declarationOf(call.func) !== owner) return false;
    const { argument, maybe } = argumentFor(argumentsOf(call), name, at);
    return !argument && !maybe && program.guards.evidenceAt(conditionsOf(call)).level === 'none';
  });
}
