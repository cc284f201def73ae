/** The library that Keras computes with in a program. */
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
  return setIn(program) ?? (importsTensorflow(program) ? undefined : known.kerasBackend) ?? 'tensorflow';
}

/** `os.environ["KERAS_BACKEND"] = "jax"` */
function setIn(program: Program): KerasBackend | undefined {
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

const importsTensorflow = memoize((program: Program): boolean =>
  program.index.scopes.some((scope) =>
    [...scope.definitions.values()].flat().some(({ qualified }) => qualified?.split('.')[0] === 'tensorflow'),
  ),
);
