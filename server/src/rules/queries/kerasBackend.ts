/** The library that Keras computes with in a program, and the generation of TensorFlow that a program is written for. */
import type { Program } from '../../guards/program.ts';
import { callTaking } from '../../python/semantic/arguments.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import type { Knowledge } from '../engine/contract.ts';

export type KerasBackend = 'tensorflow' | 'jax' | 'torch';

/**
 * Returns Keras's backend: the one that the file sets, or TensorFlow for TensorFlow's own Keras, or else the one that
 * the interpreter has.
 */
export function kerasBackendOf(program: Program, known: Knowledge): KerasBackend {
  const set = backendSetIn(program) ?? program.project?.kerasSetup().backend;
  return set ?? (importsTensorflow(program) ? undefined : known.kerasBackend) ?? 'tensorflow';
}

/** `os.environ["KERAS_BACKEND"] = "jax"` */
export function backendSetIn(program: Program): KerasBackend | undefined {
  for (const string of program.index.stringsOf('KERAS_BACKEND')) {
    const around = string.parent;
    const assign = around?.kind === 'Subscript' && around.parent?.kind === 'Assign' ? around.parent : undefined;
    const call = callTaking(string);
    const isSetting = call?.func.kind === 'Attribute' && /^(setdefault|putenv)$/.test(call.func.attr);
    const value = assign?.value ?? (isSetting ? call?.args[1] : undefined);
    const name = stringOf(value);
    if (name === 'tensorflow' || name === 'jax' || name === 'torch') return name;
  }
  return undefined;
}

/** Names of TensorFlow 1 that TensorFlow 2 does not have. */
const OLD =
  /^tensorflow\.(Session|InteractiveSession|placeholder|ConfigProto|GPUOptions|get_variable|variable_scope|global_variables_initializer|contrib|app|flags|layers|log|to_float|to_double|to_int32|to_int64|random_normal|random_uniform|get_default_graph|reset_default_graph)(\.|$)/;

/** True for a file written for TensorFlow 1, in which listing the devices initializes them. */
export const namesTensorflow1 = memoize((program: Program): boolean =>
  program.index
    .usesWhere((name) => OLD.test(`tensorflow.${name}`))
    .some((use) => program.names.qualify(use).some((name) => OLD.test(name))),
);

/** True if the file, its project or the installed release shows that the program runs with TensorFlow 1. */
export const isTensorflow1 = (program: Program, { tensorflowVersion, tensorflowRequirement }: Knowledge): boolean =>
  namesTensorflow1(program) ||
  program.project?.kerasSetup().isTensorflow1 === true ||
  /^1\./.test(tensorflowVersion ?? '') ||
  /^(?:[=~<]=?\s*1\.|<\s*2(?:\.0)*(?:,|$))/.test(tensorflowRequirement ?? '');

const importsTensorflow = memoize((program: Program): boolean =>
  program.index.scopes.some((scope) =>
    [...scope.definitions.values()].flat().some(({ qualified }) => qualified?.split('.')[0] === 'tensorflow'),
  ),
);
