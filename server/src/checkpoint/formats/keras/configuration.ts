import { isHarmlessKerasClass, isKerasFunction, isKerasProgram } from '../../../published/releases/kerasObjects.ts';
import type { PickledImport, Safety } from '../../checkpoint.ts';
import { enumeratedCode } from '../../enumerated.ts';
import { standingOf } from '../../pickle/standing.ts';
import { needsTrust, suspicious } from '../../verdicts.ts';
import { type CalledFunction, functionCalledBy } from './operationLayers.ts';

/** The verdict on a model's configuration and the imports that loading it makes. */
export interface JudgedConfiguration {
  readonly imports: readonly PickledImport[];
  readonly safety: Safety;
}

/** The container of a configuration: Keras has different rules for code in each. */
export type Container = 'keras' | 'hdf5' | 'saved-model' | 'json';

/** Checks a model's configuration: the JSON of `config.json` or of the attribute `model_config`. */
export function judgeKerasConfiguration(configuration: unknown, container: Container): JudgedConfiguration {
  const found = objectsIn(configuration);
  const imports = [...found.imports].map(([name, standing]) => ({ name, standing }));
  return { imports, safety: judge(imports, found, container) };
}

interface ConfigurationObjects {
  readonly imports: ReadonlyMap<string, PickledImport['standing']>;
  /** Classes that are not Keras's own and have no module: the program that loads the model must define them. */
  readonly custom: ReadonlySet<string>;
  /** True if it contains the marshaled Python code of a function. */
  readonly hasCode: boolean;
  /** Functions that Lambda layers call by name; empty names are of no known kind. */
  readonly lambdas: ReadonlySet<string>;
  /** True if it contains a pickled PyTorch module. */
  readonly hasTorchModule: boolean;
  /** Files that loading it reads. */
  readonly files: ReadonlySet<string>;
  /** TensorFlow operations that layers call and that may do more than compute. */
  readonly called: readonly CalledFunction[];
}

type Parts = Readonly<Record<string, unknown>>;

function objectsIn(configuration: unknown): ConfigurationObjects {
  const imports = new Map<string, PickledImport['standing']>();
  const custom = new Set<string>();
  const lambdas = new Set<string>();
  const files = new Set<string>();
  const called = new Map<string, CalledFunction>();
  let hasCode = false;
  let hasTorchModule = false;
  const waiting: unknown[] = [configuration];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      if (value.includes('lambda')) hasCode = true;
      for (const item of value) waiting.push(item);
      continue;
    }
    // A rest pattern here would copy a mapping that may have a very large number of keys.
    const parts = value as Parts;
    const { class_name, config } = parts;
    // Keras 2 writes a layer's function as a list with its code, Keras 3 as a separate object.
    if (class_name === '__lambda__' || holdsLambda(parts)) hasCode = true;
    if (class_name === 'Lambda') for (const name of functionsOf(config)) lambdas.add(name);
    if (class_name === 'TorchModuleWrapper') hasTorchModule = true;
    if ('class_name' in parts) {
      const named = namedObject(parts);
      if (typeof named === 'string') custom.add(named);
      else if (named) imports.set(named.name, named.standing);
      const alias = aliasOf(parts);
      if (alias) imports.set(alias.name, alias.standing);
    }
    if (typeof parts.registered_name === 'string' && parts.registered_name.includes('>'))
      custom.add(parts.registered_name);
    // A layer of TensorFlow Hub, which the program defines, downloads and runs the model that it names.
    if (typeof parts.handle === 'string') imports.set(parts.handle.slice(0, 200), 'unknown');
    // Lookup layers and tokenizers accept either a list of words or the path of a file that contains them.
    for (const file of [parts.vocabulary, parts.merges, parts.proto]) if (typeof file === 'string') files.add(file);
    if (class_name === 'TFSMLayer' || 'filepath' in parts)
      for (const path of [parts.filepath, (config as { filepath?: unknown } | null)?.filepath])
        if (typeof path === 'string') files.add(path);
    const operation = functionCalledBy(class_name, config);
    if (operation) called.set(operation.name, operation);
    for (const [module, name] of lookupsIn(parts))
      if (standingOf({ module, name }) === 'dangerous') imports.set(`${module}.${name}`, 'dangerous');
    for (const name in parts) waiting.push(parts[name]);
  }
  return { imports, custom, hasCode, lambdas, hasTorchModule, files, called: [...called.values()] };
}

/** Keys whose values are arbitrary names. */
const NAMES: ReadonlySet<string> = new Set(['module', 'class_name', 'config', 'registered_name']);

function holdsLambda(parts: Parts): boolean {
  for (const name in parts) if (parts[name] === 'lambda' && !NAMES.has(name)) return true;
  return false;
}

/** Values that Keras writes in this form; none of them imports anything. */
const VALUES = [
  ...'keras_tensor tensor numpy bytes ellipsis slice tuple lambda'.split(' ').map((name) => `__${name}__`),
  // The shapes and types in the metadata of Keras 2.
  'TensorShape',
  'TypeSpec',
];
const TYPE_SPECS: ReadonlySet<string> = new Set([
  'tensorflow.python.framework.tensor_spec.TensorSpec',
  'tensorflow.python.framework.tensor.TensorSpec',
  'tensorflow.python.framework.sparse_tensor.SparseTensorSpec',
  'tensorflow.python.ops.ragged.ragged_tensor.RaggedTensorSpec',
]);

/**
 * Returns the import for an object of a configuration; the name of a class that the loading program must define, or
 * nothing for a plain value.
 */
function namedObject({ module, class_name, config, spec_name }: Parts): PickledImport | string | undefined {
  const unknown = (name: unknown): PickledImport => ({ name: String(name).slice(0, 200), standing: 'unknown' });
  if (typeof class_name !== 'string' || (typeof module !== 'string' && module !== undefined && module !== null))
    return unknown(JSON.stringify(class_name ?? module));
  if (VALUES.includes(class_name)) return undefined;
  if (class_name === '__typespec__') {
    const name = `${module}.${spec_name}`;
    return TYPE_SPECS.has(name) ? { name, standing: 'allowed' } : unknown(name);
  }
  const isFunction = class_name === 'function';
  // A function's `config` is its name; it is imported from the same module.
  const name = isFunction && typeof config === 'string' ? config : class_name;
  if (typeof module === 'string') {
    // Other classes and functions are judged by what they contain.
    const isKnown = isFunction
      ? isKerasFunction(module, name)
      : isHarmlessKerasClass(module, name) ||
        isPresetClass(module, name) ||
        (JUDGED.has(name) && isKerasProgram(module, name));
    if (isKnown) return { name: `${module}.${name}`, standing: 'allowed' };
    // Only the loading program can register such a name.
    if (module === 'builtins' && name.includes('>') && CUSTOM_NAME.test(name)) return name;
    // Functions outside of the modules that only compute load, download or circumvent `safe_mode`.
    const isDangerous =
      (isFunction && /^(tf_)?keras(\.|$)/.test(module) && !/\.(activations|losses|metrics|ops)$/.test(module)) ||
      standingOf({ module, name }) === 'dangerous';
    return { name: `${module}.${name}`, standing: isDangerous ? 'dangerous' : 'unknown' };
  }
  if (isHarmlessKerasClass(undefined, name) || JUDGED.has(name)) return undefined;
  return !isKerasProgram(undefined, name) && CUSTOM_NAME.test(name) ? name : unknown(name);
}

/** Classes of Keras with a program or an operation, which `judge` looks at. */
const JUDGED: ReadonlySet<string> = new Set([
  'Lambda',
  'TorchModuleWrapper',
  'TFOpLambda',
  'SlicingOpLambda',
  'ClassMethod',
  'InstanceMethod',
  'InstanceProperty',
  'TensorFlowOpLayer',
]);

/** True for a class of KerasHub that is in the module of its own name. Presets are built from these. */
const isPresetClass = (module: string, name: string): boolean =>
  /^keras_(?:hub|nlp)\.src\.(?:layers|models|tokenizers)\.[\w.]+$/.test(module) &&
  module.split('.').at(-1)?.replaceAll('_', '') === name.toLowerCase();

/** A class of the loading program, as programs name them, or as Keras registers them: `Package>name`. */
const CUSTOM_NAME = /^(?:[\w.\- ]+>[\w.\- ]+|_?[A-Z]\w*)$/;

/**
 * Returns the other name under which Keras up to 3.9 would look an object up in its module; undefined if that is its own
 * name or one under which only the loading program can register something.
 */
function aliasOf({ module, class_name, config, registered_name: alias }: Parts): PickledImport | undefined {
  if (alias === undefined || alias === null || alias === class_name) return undefined;
  if (class_name === 'function' && alias === config) return undefined;
  if (typeof alias === 'string' && alias.includes('>') && CUSTOM_NAME.test(alias)) return undefined;
  const name = String(alias).slice(0, 200);
  const isDangerous = standingOf({ module: String(module), name }) === 'dangerous';
  return { name: `${module}.${name}`, standing: isDangerous ? 'dangerous' : 'unknown' };
}

/** Keys of a Lambda layer in Keras 2 that name a function, and those of the module in which it is looked up. */
const LOOKUPS = [
  ['module', 'function'],
  ['output_shape_module', 'output_shape'],
  ['mask_module', 'mask'],
] as const;

/** Returns the functions that a Lambda layer of Keras 2 looks up in any loaded module. */
function lookupsIn(parts: Parts): (readonly [module: string, name: string])[] {
  return LOOKUPS.flatMap(([at, key]) => {
    const [module, name] = [parts[at], parts[key]];
    return typeof module === 'string' && typeof name === 'string' ? [[module, name] as const] : [];
  });
}

/** Returns the names of the functions in a Lambda layer's configuration; at least one, which is empty if unknown. */
function functionsOf(config: unknown): readonly string[] {
  const parts = (typeof config === 'object' && config !== null ? config : {}) as Parts;
  const names = LOOKUPS.flatMap(([, key]) => {
    const written = parts[key];
    const name = typeof written === 'object' && written !== null ? (written as Parts).config : written;
    return typeof name === 'string' && /^[\w.]{1,200}$/.test(name) ? [name] : [];
  });
  return names.length > 0 ? names : [''];
}

function judge(imports: readonly PickledImport[], found: ConfigurationObjects, container: Container): Safety {
  const { hasCode, lambdas, hasTorchModule, custom, files, called } = found;
  const those = (standing: PickledImport['standing']) =>
    imports.filter((each) => each.standing === standing).map(({ name }) => name);
  const [dangerous, unknown] = [those('dangerous'), those('unknown')];
  if (dangerous.length > 0)
    return { verdict: 'dangerous', reason: `Loading it imports ${enumeratedCode(dangerous)}, which can run any code.` };
  const unsafe = called.filter(({ isUnsafe }) => isUnsafe).map(({ name }) => name);
  if (unsafe.length > 0)
    return suspicious(`Its layers call ${enumeratedCode(unsafe)}, which can access files or run Python.`);
  if (files.size > 0) return suspicious(`Loading it reads ${enumeratedCode([...files])}, a file that it names.`);
  if (hasCode) return needsTrust(`It contains the Python code of a Lambda layer: ${LAMBDA[container]}`);
  if (hasTorchModule)
    return needsTrust('It contains a pickled PyTorch module, which was not checked: unpickling it can run any code.');
  if (called.length > 0)
    return needsTrust(
      `Its layers call ${enumeratedCode(called.map(({ name }) => name))}, which may do more than compute.`,
    );
  if (unknown.length > 0)
    return needsTrust(`Loading it imports ${enumeratedCode(unknown)}, which GPU Doctor does not know.`);
  if (lambdas.size > 0) {
    const names = [...lambdas].filter((name) => name !== '');
    return needsTrust(
      `A Lambda layer in it calls ${names.length > 0 ? enumeratedCode(names) : 'a function'}, and GPU Doctor does not check what that does.`,
    );
  }
  const others =
    custom.size === 0 ? '' : ` and of ${enumeratedCode([...custom])}, which the program that loads it must define`;
  const reason = `It contains no code, only the names of Keras layers${others}.`;
  return { verdict: 'no-code', reason };
}

/**
 * How Keras treats a Lambda layer's code. For HDF5 files, Keras has respected `safe_mode` since 3.11.3: CVE-2025-9905.
 */
const LAMBDA: Readonly<Record<Container, string>> = {
  keras: '`safe_mode=True` rejects it; `safe_mode=False` runs it.',
  'saved-model': 'Keras 2 runs it when loading the model.',
  json: '`model_from_json` of Keras 2 runs it.',
  hdf5: 'Keras before 3.11.3 runs it regardless of `safe_mode`; newer versions run it only with `safe_mode=False`.',
};
