import type { Import, Safety } from '../../checkpoint.ts';
import { enumerated } from '../../enumerated.ts';
import { standingOf } from '../../pickle/standing.ts';
import { needsTrust } from '../../verdicts.ts';
import { isKerasClass } from './names.ts';
import { type CalledFunction, functionCalledBy } from './operationLayers.ts';

/** The verdict on a model's configuration and the imports that loading it makes. */
export interface JudgedConfiguration {
  readonly imports: readonly Import[];
  readonly safety: Safety;
}

/** The container of a configuration: Keras has different rules for code in each. */
export type Container = 'keras' | 'hdf5' | 'saved-model' | 'json';

/** Checks a model's configuration: the JSON of `config.json` or of the attribute `model_config`. */
export function judgeConfiguration(configuration: unknown, container: Container): JudgedConfiguration {
  const found = objectsIn(configuration);
  const imports = [...found.imports].map(([name, standing]) => ({ name, standing }));
  return { imports, safety: judge(imports, found, container) };
}

interface ConfigurationObjects {
  readonly imports: ReadonlyMap<string, Import['standing']>;
  /** Classes that are not Keras's own and have no module: the program that loads the model must define them. */
  readonly custom: ReadonlySet<string>;
  /** True if it contains the marshaled Python code of a function. */
  readonly hasLambda: boolean;
  /** True if it contains a pickled PyTorch module. */
  readonly hasTorchModule: boolean;
  /** Files that loading it reads. */
  readonly files: ReadonlySet<string>;
  /** TensorFlow operations that layers call and that may do more than compute. */
  readonly called: readonly CalledFunction[];
}

function objectsIn(configuration: unknown): ConfigurationObjects {
  const imports = new Map<string, Import['standing']>();
  const custom = new Set<string>();
  const files = new Set<string>();
  const called = new Map<string, CalledFunction>();
  let hasLambda = false;
  let hasTorchModule = false;
  const waiting: unknown[] = [configuration];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      if (value.includes('lambda')) hasLambda = true;
      for (const item of value) waiting.push(item);
      continue;
    }
    // A rest pattern here would copy a mapping that may have a very large number of keys.
    const parts = value as Readonly<Record<string, unknown>>;
    const { module, class_name, config, registered_name } = parts;
    // Keras 2 writes a layer's function as a list with its code, Keras 3 as a separate object.
    if (class_name === '__lambda__' || holdsLambda(parts)) hasLambda = true;
    if (class_name === 'TorchModuleWrapper') hasTorchModule = true;
    if (typeof module === 'string' && typeof class_name === 'string') {
      // A function's `config` is its name; it is imported from the same module.
      const name = class_name === 'function' && typeof config === 'string' ? config : class_name;
      imports.set(`${module}.${name}`, standingIn(module, name));
    } else if (typeof class_name === 'string' && !isKerasClass(class_name)) custom.add(class_name);
    if (typeof registered_name === 'string' && registered_name.includes('>')) custom.add(registered_name);
    // Lookup layers and tokenizers accept either a list of words or the path of a file that contains them.
    for (const file of [parts.vocabulary, parts.merges, parts.proto]) if (typeof file === 'string') files.add(file);
    if (class_name === 'TFSMLayer' || 'filepath' in parts)
      for (const path of [parts.filepath, (config as { filepath?: unknown } | null)?.filepath])
        if (typeof path === 'string') files.add(path);
    const operation = functionCalledBy(class_name, config);
    if (operation) called.set(operation.name, operation);
    // A Lambda layer of Keras 2 looks its function up in any loaded module.
    if (parts.function_type === 'function' && typeof parts.function === 'string' && typeof module === 'string')
      if (standingIn(module, parts.function) === 'dangerous') imports.set(`${module}.${parts.function}`, 'dangerous');
    for (const name in parts) waiting.push(parts[name]);
  }
  return { imports, custom, hasLambda, hasTorchModule, files, called: [...called.values()] };
}

/** Keys whose values are arbitrary names. */
const NAMES: ReadonlySet<string> = new Set(['module', 'class_name', 'config', 'registered_name']);

function holdsLambda(parts: Readonly<Record<string, unknown>>): boolean {
  for (const name in parts) if (parts[name] === 'lambda' && !NAMES.has(name)) return true;
  return false;
}

/** Parts of Keras whose functions only compute; functions in other parts load, download, or circumvent `safe_mode`. */
const COMPUTING = 'activations|losses|metrics|initializers|regularizers|constraints|ops|random|layers|optimizers';
const KERAS_FUNCTION = new RegExp(`^(tf_)?keras\\.(src\\.)?(${COMPUTING})(\\.\\w+)*$`);

function standingIn(module: string, name: string): Import['standing'] {
  if (/^(tf_)?keras(_hub|_cv|_nlp)?(\.|$)/.test(module)) {
    // It loads a program from the path in its configuration.
    if (name === 'TFSMLayer') return 'unknown';
    return /^[A-Z]\w*$/.test(name) || KERAS_FUNCTION.test(module) ? 'allowed' : 'dangerous';
  }
  const standing = standingOf({ module, name });
  // Keras looks functions up among its own and the registered ones, regardless of the module.
  return module === 'builtins' && standing !== 'dangerous' ? 'allowed' : standing;
}

function judge(imports: readonly Import[], found: ConfigurationObjects, container: Container): Safety {
  const { hasLambda, hasTorchModule, custom, files, called } = found;
  const those = (standing: Import['standing']) =>
    imports.filter((each) => each.standing === standing).map(({ name }) => name);
  const [dangerous, unknown] = [those('dangerous'), those('unknown')];
  if (dangerous.length > 0)
    return { verdict: 'dangerous', reason: `Loading it imports ${quoted(dangerous)}, which can run any code.` };
  const suspicious = (reason: string): Safety => ({ verdict: 'suspicious', reason });
  if (hasLambda) return needsTrust(`It contains the Python code of a Lambda layer: ${LAMBDA[container]}`);
  if (hasTorchModule)
    return needsTrust('It contains a pickled PyTorch module, which was not checked: unpickling it can run any code.');
  const unsafe = called.filter(({ isUnsafe }) => isUnsafe).map(({ name }) => name);
  if (unsafe.length > 0) return suspicious(`Its layers call ${quoted(unsafe)}, which can access files or run Python.`);
  if (called.length > 0)
    return needsTrust(`Its layers call ${quoted(called.map(({ name }) => name))}, which may do more than compute.`);
  if (unknown.length > 0) return needsTrust(`Loading it imports ${quoted(unknown)}, which GPU Doctor does not know.`);
  if (files.size > 0) return suspicious(`Loading it reads ${quoted([...files])}, a file that it names.`);
  const others = custom.size === 0 ? '' : ` and of ${quoted([...custom])}, which the program that loads it must define`;
  const reason = `It contains no code, only the names of Keras layers${others}.`;
  return { verdict: 'no-code', reason };
}

/** Puts the first names in quotes and joins them, with a count of the rest. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => `\`${name}\``);
  if (names.length > 5) shown.push(`${names.length - 5} more`);
  return enumerated(shown);
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
