import type { Import, Safety } from './checkpoint.ts';
import { standingOf } from './pickle/standing.ts';

/** What loading a Keras model would make, by its configuration. */
export interface Judged {
  readonly imports: readonly Import[];
  readonly safety: Safety;
}

/** Where a configuration lies: Keras refuses code in each of them by another rule. */
export type Container = 'keras' | 'hdf5';

/** Judges a model's configuration: the JSON of `config.json`, or of the attribute `model_config`. */
export function judgeConfiguration(configuration: unknown, container: Container): Judged {
  const found = objectsIn(configuration);
  const imports = [...found.imports].map(([name, standing]) => ({ name, standing }));
  return { imports, safety: judge(imports, found, container) };
}

interface Found {
  readonly imports: ReadonlyMap<string, Import['standing']>;
  /** The Python code of a function is in it, as bytes that only Python understands. */
  readonly hasLambda: boolean;
  /** A module of PyTorch is in it, as a pickle. */
  readonly hasTorchModule: boolean;
}

function objectsIn(configuration: unknown): Found {
  const imports = new Map<string, Import['standing']>();
  let hasLambda = false;
  let hasTorchModule = false;
  const waiting: unknown[] = [configuration];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { module, class_name, config, ...rest } = value as Readonly<Record<string, unknown>>;
    // Keras 2 writes a layer's function as a list with its code; Keras 3 as an object of its own.
    if (class_name === '__lambda__' || Object.values(rest).includes('lambda')) hasLambda = true;
    if (class_name === 'TorchModuleWrapper') hasTorchModule = true;
    if (typeof module === 'string' && typeof class_name === 'string') {
      // A function is named by its configuration, and imported from the same module.
      const name = class_name === 'function' && typeof config === 'string' ? config : class_name;
      imports.set(`${module}.${name}`, standingIn(module, name));
    }
    for (const part of Object.values(value)) waiting.push(part);
  }
  return { imports, hasLambda, hasTorchModule };
}

/** Parts of Keras of which a function only computes; others load, download, or lift what `safe_mode` forbids. */
const COMPUTING = 'activations|losses|metrics|initializers|regularizers|constraints|ops|random|layers|optimizers';
const KERAS_FUNCTION = new RegExp(`^(tf_)?keras\\.(src\\.)?(${COMPUTING})(\\.\\w+)*$`);

function standingIn(module: string, name: string): Import['standing'] {
  if (/^(tf_)?keras(_hub|_cv|_nlp)?(\.|$)/.test(module)) {
    // It loads a program from the path that its configuration names.
    if (name === 'TFSMLayer') return 'unknown';
    return /^[A-Z]\w*$/.test(name) || KERAS_FUNCTION.test(module) ? 'allowed' : 'dangerous';
  }
  const standing = standingOf({ module, name });
  // Functions are looked up among those of Keras and the registered ones, whatever their module was.
  return module === 'builtins' && standing !== 'dangerous' ? 'allowed' : standing;
}

function judge(imports: readonly Import[], { hasLambda, hasTorchModule }: Found, container: Container): Safety {
  const those = (standing: Import['standing']) =>
    imports.filter((each) => each.standing === standing).map(({ name }) => `\`${name}\``);
  const [dangerous, unknown] = [those('dangerous'), those('unknown')];
  if (dangerous.length > 0)
    return { verdict: 'dangerous', reason: `Loading it imports ${dangerous.join(', ')}, which can run any code.` };
  if (hasLambda)
    return { verdict: 'suspicious', reason: `It holds the Python code of a Lambda layer: ${LAMBDA[container]}` };
  if (hasTorchModule)
    return {
      verdict: 'suspicious',
      reason: 'It holds a pickled PyTorch module, which is not looked into: unpickling it can run any code.',
    };
  if (unknown.length > 0)
    return { verdict: 'suspicious', reason: `Loading it imports ${unknown.join(', ')}, of which nothing is known.` };
  return { verdict: 'no-code', reason: 'It names layers of Keras only, and holds no code of its own.' };
}

/** What becomes of a Lambda layer's code. Keras minds `safe_mode` in HDF5 files since 3.11.3: CVE-2025-9905. */
const LAMBDA: Readonly<Record<Container, string>> = {
  keras: '`safe_mode=True` refuses it, `safe_mode=False` runs it.',
  hdf5: 'Keras before 3.11.3 runs it whatever `safe_mode` says, later ones with `safe_mode=False` only.',
};
