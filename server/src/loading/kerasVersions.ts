/** Determines whether one version of Keras loads files written by another version. */
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { enumeratedCode } from '../checkpoint/enumerated.ts';
import type { KerasModel } from '../checkpoint/kerasModel.ts';
import { firstKerasWith, type KerasFeature, kerasHas, kerasReleases } from '../published/releases/kerasReleases.ts';
import { isAtLeast, isAtMost } from '../published/versions.ts';
import type { Here } from './here.ts';

type KerasFile = Pick<Checkpoint, 'format' | 'writtenBy' | 'holds' | 'keras' | 'endpoints'>;

/** The reason why a Keras version certainly does not load a model. */
export interface KerasRefusal {
  /** A clause without a full stop. */
  readonly because: string;
  /** Sentences. */
  readonly remedy?: string;
}

/** Arguments of the loader call that matter. */
interface KerasCall {
  /** False for `compile=False`, which skips how the model was compiled. */
  readonly compiles: boolean;
}

/**
 * Returns why an installed Keras certainly does not load a model; undefined if it does or may. A class fails on
 * arguments that it does not know, so the arguments written by another Keras version are compared with those that this
 * version accepted in tests.
 */
export function kerasRefusal(
  file: KerasFile,
  version: string,
  { compiles }: KerasCall = { compiles: true },
): KerasRefusal | undefined {
  if (file.format === 'saved-model') return savedModelRefusal(file, version);
  const lost = operationRefusal(file, version);
  if (lost !== undefined) return lost;
  const reason = modelRefusal(file, version);
  if (reason !== undefined) return { because: reason };
  const compiled = compiles ? compiledRefusal(file, version) : undefined;
  return compiled === undefined ? undefined : { because: compiled, remedy: WITHOUT_COMPILING };
}

const WITHOUT_COMPILING = '`compile=False` loads only the model, without its optimizer, losses and metrics.';

/** Keras 3 has no loader for these folders: https://keras.io/guides/migrating_to_keras_3/ */
function savedModelRefusal({ holds, endpoints = [] }: KerasFile, version: string): KerasRefusal | undefined {
  if (!kerasHas('keras_3', version)) return undefined;
  const [endpoint] = endpoints;
  const asModel = holds === 'model' ? '`tf_keras.models.load_model(path)` loads it as a Keras model.' : '';
  const asLayer =
    endpoint === undefined
      ? 'It has no signature that `TFSMLayer` could call.'
      : `\`keras.layers.TFSMLayer(path, call_endpoint="${endpoint}")\` turns it into a layer that can be called.`;
  return {
    because: `Keras ${version} does not load SavedModel folders`,
    remedy: `${asModel} ${asLayer}`.trim(),
  };
}

/** Returns why an old Keras cannot read HDF5 with the installed h5py, regardless of the file. */
export function h5pyRefusal(
  { format }: KerasFile,
  { h5py, tensorflow }: Here,
  keras: string | undefined,
): KerasRefusal | undefined {
  const old = keras ?? tensorflow ?? undefined;
  if (format !== 'hdf5' || !h5py || !isAtLeast(h5py, '3') || !old || kerasHas('h5py_3', old)) return undefined;
  const who = keras === undefined ? `TensorFlow ${old}` : `Keras ${old}`;
  return {
    because: `${who} expects bytes where h5py ${h5py} returns strings (\`'str' object has no attribute 'decode'\`)`,
    remedy: 'Install an older h5py: `pip install "h5py<3"`.',
  };
}

/**
 * HDF5 does not store modules, so Keras looks for a layer with the operation's name and finds none or a different one.
 */
function operationRefusal(file: KerasFile, version: string): KerasRefusal | undefined {
  const { format, holds, keras: model } = file;
  if (format !== 'hdf5' || holds === 'weights' || !model || model.operations.length === 0) return undefined;
  return {
    because: `Keras ${version} has no layer for the operation ${enumeratedCode(model.operations, 3)}, which ${writerOf(file)} wrote to HDF5 like a layer`,
    remedy: 'The model loads if the program that created it saves it as a `.keras` file.',
  };
}

/** Returns what prevents the model itself from being created. */
function modelRefusal(file: KerasFile, version: string): string | undefined {
  const { format, keras: model, holds } = file;
  if (model && holds !== 'weights') {
    const missing = model.classes.filter(({ name }) => isMissing(name, version)).map(({ name }) => name);
    if (missing.length > 0)
      return `Keras ${version} has no ${enumeratedCode(missing, 3)}, which ${writerOf(file)} used in the model`;
    if (format === 'keras' && !kerasHas('keras_files', version))
      return `Keras ${version} does not know \`.keras\` files, which Keras ${firstKerasWith('keras_files')} introduced`;
    if (format === 'keras' && !kerasHas('moved_modules', version) && kerasHas('moved_modules', versionOf(file) ?? '0'))
      return `Keras ${version} does not read \`.keras\` files from ${writerOf(file)}: the names in them changed in ${firstKerasWith('moved_modules')}`;
    if (kerasHas('keras_3', version)) {
      const reason = formRefusal(model, format, version, writerOf(file));
      if (reason !== undefined) return reason;
    }
    const refusal = argumentRefusal(file, model, version, false);
    if (refusal !== undefined) return refusal;
  }
  // Keras 3 writes types as policies and inputs as mappings in every file.
  return isFromNewerKeras(file, version) ? `Keras ${version} does not load what ${writerOf(file)} wrote` : undefined;
}

/** Returns why Keras 3 does not read what another version wrote, for forms that can occur in any class. */
function formRefusal(model: KerasModel, format: Checkpoint['format'], version: string, writer: string) {
  const gone = model.modules.find((module) => module.startsWith('keras.src.engine.'));
  if (format === 'keras' && gone !== undefined)
    return `Keras ${version} has no module \`${gone}\`, which ${writer} wrote into the file`;
  if (model.hasFlatInputs && !kerasHas('flat_inputs', version))
    return `Keras ${version} does not read the inputs of the model as ${writer} wrote them`;
  const [unplaced] = model.unplaced;
  if (unplaced !== undefined)
    return `Keras ${version} does not find the inner layer \`${unplaced}\`, which ${writer} wrote without its module`;
  // In HDF5 files, Keras treats this as an older name for `batch_shape`.
  const shaped = model.classes.find(
    ({ name, arguments: given }) => name !== 'InputLayer' && given.includes('batch_input_shape'),
  );
  if (format === 'keras' && shaped)
    return `Keras ${version} does not accept \`batch_input_shape\` of \`${shaped.name}\`, which ${writer} wrote`;
  return undefined;
}

/** Returns what prevents the model from being compiled as before. */
function compiledRefusal(file: KerasFile, version: string): string | undefined {
  const { keras: model, format } = file;
  if (!model || file.holds === 'weights') return undefined;
  const writer = writerOf(file);
  const losses = format === 'hdf5' ? model.losses.filter((name) => isRefusedLoss(name, version)) : [];
  if (losses.length > 0)
    return `Keras ${version} does not know the loss ${enumeratedCode(losses, 3)} under the name in this file`;
  const optimizer = model.classes.find(({ name }) => name.startsWith('Custom>'))?.name;
  if (optimizer !== undefined && !kerasHas('registered_optimizers', version))
    return `Keras ${version} does not know the optimizer \`${optimizer}\`, which ${writer} wrote`;
  if (model.hasAutoReduction && kerasHas('keras_3', version))
    return `Keras ${version} does not know the reduction \`auto\` of its loss, which ${writer} wrote`;
  return argumentRefusal(file, model, version, true);
}

function argumentRefusal(file: KerasFile, model: KerasModel, version: string, compiled: boolean): string | undefined {
  for (const { name, arguments: given } of model.classes) {
    const refused = given.filter((argument) => {
      const row = refusedArguments.get(`${name}.${argument}`);
      return row && (row.compiled ?? false) === compiled && isAmong(version, row['refused-by']);
    });
    if (refused.length > 0)
      return `Keras ${version} does not accept ${enumeratedCode(refused, 3)} of \`${name}\`, which ${writerOf(file)} wrote`;
  }
  return undefined;
}

const versionOf = ({ writtenBy }: KerasFile) => /^Keras (\d[\d.]*)/.exec(writtenBy ?? '')?.[1];
const writerOf = ({ writtenBy }: KerasFile) =>
  /^Keras [^,]*/.exec(writtenBy ?? '')?.[0] ?? 'the Keras version that wrote it';

function isFromNewerKeras({ writtenBy }: KerasFile, version: string): boolean {
  const written = /^Keras (\d+)/.exec(writtenBy ?? '')?.[1];
  return written !== undefined && Number(written) > Number.parseInt(version, 10);
}

const releases = kerasReleases();

const missingClasses = new Map(releases.classes.flatMap((row) => row.missing.map((name) => [name, row.in] as const)));

/** Keyed by class and argument: `LSTM.time_major`. */
const refusedArguments = new Map(
  releases.arguments.flatMap((row) => row.of.map((name) => [`${name}.${row.argument}`, row] as const)),
);

/** Keras classes and functions that some releases wrote and others reject or lack. */
export const kerasTableNames: ReadonlySet<string> = new Set([
  ...releases.arguments.flatMap((row) => row.of),
  ...missingClasses.keys(),
]);

/** Returns the releases that reject an argument of a class, or of any class if it is unknown, as `keras 3..3.12.0`. */
export function kerasRefusing(argument: string, of: string | undefined): readonly string[] {
  return releases.arguments
    .filter((row) => row.argument === argument && (of === undefined || row.of.includes(of)))
    .flatMap((row) => row['refused-by']);
}

const isMissing = (name: string, version: string) => isAmong(version, missingClasses.get(name) ?? []);
const isRefusedLoss = (name: string, version: string) =>
  releases.losses.some((row) => row.names.includes(name) && isAmong(version, row['refused-by']));

/**
 * True if a version is in one of the ranges, such as `keras 3..3.8.0`: the line of releases, then the first and last
 * version; if a version is omitted, the range is open at that end. Keras is a separate line before 2.4 and since 3.0.
 * In between, the Keras in TensorFlow has TensorFlow's version numbers.
 */
function isAmong(version: string, ranges: readonly string[]): boolean {
  const own = kerasHas('tensorflow_number', version) && !kerasHas('keras_3', version) ? 'tensorflow' : 'keras';
  return ranges.some((range) => {
    const [line, first = '', last = ''] = range.split(/ |\.\./);
    return line === own && (first === '' || isAtLeast(version, first)) && (last === '' || isAtMost(version, last));
  });
}

/** The feature that rejects a Lambda layer's code by default, by format. */
const REFUSALS: Readonly<Record<string, KerasFeature>> = { keras: 'refuses_lambda', hdf5: 'refuses_lambda_in_hdf5' };

/** Returns why a Keras version certainly does not create a model's Lambda layers by default. */
export function lambdaRefusal({ format, holds, keras: model }: KerasFile, version: string): KerasRefusal | undefined {
  const refusal = REFUSALS[format];
  if (!model?.hasLambda || holds === 'weights' || refusal === undefined || !kerasHas(refusal, version))
    return undefined;
  return {
    because: `Keras ${version} does not run the code of a Lambda layer in a file by default`,
    remedy: 'With `safe_mode=False` it runs that code: use it only if you trust the author of the file.',
  };
}
