/** The classes and functions that Keras models may name, from the wheels of Keras: `scripts/tables/keras.py`. */
import { readData } from '../../dataFiles.ts';
import { computedOnce } from '../remembering.ts';

/** Names by module, in one string. */
type ByModule = Readonly<Record<string, string>>;

interface WrittenTable {
  readonly classes: ByModule;
  readonly functions: ByModule;
  readonly programs: ByModule;
  readonly names: string;
}

interface Table {
  readonly classes: ReadonlySet<string>;
  readonly functions: ReadonlySet<string>;
  readonly programs: ReadonlySet<string>;
  /** Names of harmless classes, and of all classes. */
  readonly names: ReadonlySet<string>;
  readonly allNames: ReadonlySet<string>;
}

const data = computedOnce((): Table => {
  const { classes, functions, programs, names } = readData<WrittenTable>(import.meta.dirname, 'kerasObjects');
  const harmless = names.split(' ');
  const others = Object.values(programs).flatMap((each) => each.split(' '));
  return {
    classes: pairsIn(classes),
    functions: pairsIn(functions),
    programs: pairsIn(programs),
    names: new Set(harmless),
    allNames: new Set([...harmless, ...others]),
  };
});

function pairsIn(byModule: ByModule): ReadonlySet<string> {
  return new Set(
    Object.entries(byModule).flatMap(([module, names]) => names.split(' ').map((name) => pair(module, name))),
  );
}

/** A separator that no name contains: a dot could stand in the module or in the name. */
const pair = (module: string, name: string): string => `${module} ${name}`;

/** True for a class of Keras that is built from its configuration alone, without files, functions and programs. */
export function isHarmlessKerasClass(module: string | undefined, name: string): boolean {
  return module === undefined ? data().names.has(name) : data().classes.has(pair(module, name));
}

/** True for a class of Keras whose configuration names or contains code, a program or operations of TensorFlow. */
export function isKerasProgram(module: string | undefined, name: string): boolean {
  if (module !== undefined) return data().programs.has(pair(module, name));
  return data().allNames.has(name) && !data().names.has(name);
}

/** True for Keras's own classes in a file without modules; the program that loads it must provide any other. */
export function isKerasClass(name: string): boolean {
  return data().allNames.has(name) || /^__\w+__$/.test(name);
}

/** Modules in which Keras looks a function of `builtins` up, before it looks there. */
const OF_BUILTINS = 'activations constraints initializers losses metrics optimizers regularizers'.split(' ');

/** True for a function of Keras that only computes. */
export function isKerasFunction(module: string, name: string): boolean {
  const { functions } = data();
  if (module !== 'builtins') return functions.has(pair(module, name));
  return OF_BUILTINS.some((each) => functions.has(pair(`keras.${each}`, name)));
}
