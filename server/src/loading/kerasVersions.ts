/** What one version of Keras refuses of what another one wrote. */
import type { Checkpoint } from '../checkpoint/checkpoint.ts';
import { enumerated } from '../checkpoint/enumerated.ts';
import type { KerasModel } from '../checkpoint/kerasModel.ts';
import { readData } from '../dataFiles.ts';
import { isAtLeast, isAtMost } from '../published/versions.ts';
import type { Here } from './here.ts';
import type { KerasReleases } from './kerasReleasesSchema.ts';

export type KerasFile = Pick<Checkpoint, 'format' | 'writtenBy' | 'holds' | 'keras' | 'endpoints'>;

/** Why a Keras certainly does not load a model. */
export interface KerasRefusal {
  /** A clause, without its full stop. */
  readonly because: string;
  /** Sentences. */
  readonly remedy?: string;
}

/** How the loader is called, as far as that decides. */
export interface KerasCall {
  /** `compile=False` keeps it from reading how the model was compiled. */
  readonly compiles: boolean;
}

/**
 * Why an installed Keras certainly does not load a model; undefined where it does, or may. A class reads its own arguments
 * and fails on any other, so what a newer or an older Keras wrote is held against what this one was seen to take.
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

const WITHOUT_COMPILING = 'With `compile=False` the model itself is loaded, without its optimizer, losses and metrics.';

/** Keras 3 has no loader for these folders: https://keras.io/guides/migrating_to_keras_3/ */
function savedModelRefusal({ holds, endpoints = [] }: KerasFile, version: string): KerasRefusal | undefined {
  if (!isAtLeast(version, '3')) return undefined;
  const [endpoint] = endpoints;
  const asModel =
    holds === 'model' ? 'As the Keras model that it was, `tf_keras.models.load_model(path)` loads it.' : '';
  const asLayer =
    endpoint === undefined
      ? 'It has no signature by which `TFSMLayer` could call it.'
      : `\`keras.layers.TFSMLayer(path, call_endpoint="${endpoint}")\` makes a layer of it, which can be called.`;
  return {
    because: `Keras ${version} does not load the folders that TensorFlow calls SavedModel`,
    remedy: `${asModel} ${asLayer}`.trim(),
  };
}

/** The first Keras, of TensorFlow's numbers, that takes the texts of h5py 3: tried with 2.2.5, 1.15, 2.1, 2.3, 2.4 and 2.5. */
const TAKES_TEXTS_SINCE = '2.5';

/** Why an old Keras does not read HDF5 by the h5py that is installed, whatever is in the file. */
export function h5pyRefusal(
  { format }: KerasFile,
  { h5py, tensorflow }: Here,
  keras: string | undefined,
): KerasRefusal | undefined {
  const old = keras ?? tensorflow ?? undefined;
  if (format !== 'hdf5' || !h5py || !isAtLeast(h5py, '3') || !old || isAtLeast(old, TAKES_TEXTS_SINCE))
    return undefined;
  const who = keras === undefined ? `TensorFlow ${old}` : `Keras ${old}`;
  return {
    because: `${who} expects bytes where h5py ${h5py} gives it texts (\`'str' object has no attribute 'decode'\`)`,
    remedy: 'Install the older one: `pip install "h5py<3"`.',
  };
}

/** HDF5 names no modules, so Keras looks for a layer of that name: none, or another than was saved. */
function operationRefusal(file: KerasFile, version: string): KerasRefusal | undefined {
  const { format, holds, keras: model } = file;
  if (format !== 'hdf5' || holds === 'weights' || !model || model.operations.length === 0) return undefined;
  return {
    because: `Keras ${version} finds no layer for the operation ${quoted(model.operations)}, which ${writerOf(file)} wrote to HDF5 as if it were one`,
    remedy: 'Saved as a `.keras` file by the program that made it, the model loads.',
  };
}

/** What keeps the model itself from being made. */
function modelRefusal(file: KerasFile, version: string): string | undefined {
  const { format, keras: model, holds } = file;
  if (model && holds !== 'weights') {
    const missing = model.classes.filter(({ name }) => isMissing(name, version)).map(({ name }) => name);
    if (missing.length > 0) return `Keras ${version} has no ${quoted(missing)}, of which ${writerOf(file)} made it`;
    if (format === 'keras' && !isAtLeast(version, ARCHIVES_SINCE))
      return `Keras ${version} does not know the format of \`.keras\` files, which came with ${ARCHIVES_SINCE}`;
    if (format === 'keras' && !isAtLeast(version, MOVED_SINCE) && isAtLeast(versionOf(file) ?? '0', MOVED_SINCE))
      return `Keras ${version} does not read the \`.keras\` files of ${writerOf(file)}, in which names are others since ${MOVED_SINCE}`;
    if (isAtLeast(version, '3')) {
      const reason = formRefusal(model, format, version, writerOf(file));
      if (reason !== undefined) return reason;
    }
    const refusal = argumentRefusal(file, model, version, false);
    if (refusal !== undefined) return refusal;
  }
  // Keras 3 writes types as policies and inputs as mappings, in each file.
  return isOfNextKeras(file, version) ? `Keras ${version} does not load what ${writerOf(file)} wrote` : undefined;
}

/** https://github.com/keras-team/tf-keras/releases/tag/v2.12.0 */
const ARCHIVES_SINCE = '2.12';
/** Keras's own modules and the names of weights changed then. Seen to: 2.12 fails on each of 25 files of 2.15. */
const MOVED_SINCE = '2.13';
/** Seen to: 3.3.3 fails on `input_layers` that are one input, 3.4.1 takes them. */
const FLAT_INPUTS_SINCE = '3.4';

/** Forms of other versions that Keras 3 does not read, in whatever class they are. */
function formRefusal(model: KerasModel, format: Checkpoint['format'], version: string, writer: string) {
  const gone = model.modules.find((module) => module.startsWith('keras.src.engine.'));
  if (format === 'keras' && gone !== undefined)
    return `Keras ${version} has no module \`${gone}\`, by which ${writer} named a part of it`;
  if (model.hasFlatInputs && !isAtLeast(version, FLAT_INPUTS_SINCE))
    return `Keras ${version} does not read the inputs of the model as ${writer} wrote them`;
  const [unplaced] = model.unplaced;
  if (unplaced !== undefined)
    return `Keras ${version} does not find the inner layer \`${unplaced}\`, which ${writer} wrote without its module`;
  // From HDF5 it is taken as an older name of `batch_shape`.
  const shaped = model.classes.find(
    ({ name, arguments: given }) => name !== 'InputLayer' && given.includes('batch_input_shape'),
  );
  if (format === 'keras' && shaped)
    return `Keras ${version} does not take \`batch_input_shape\` of \`${shaped.name}\`, as ${writer} wrote it`;
  return undefined;
}

/** Seen to: 2.8 fails on the optimizers that 2.11 and later write as registered ones. */
const REGISTERED_OPTIMIZERS_SINCE = '2.9';

/** What keeps it from being compiled as it was. */
function compiledRefusal(file: KerasFile, version: string): string | undefined {
  const { keras: model, format } = file;
  if (!model || file.holds === 'weights') return undefined;
  const writer = writerOf(file);
  const losses = format === 'hdf5' ? model.losses.filter((name) => isRefusedLoss(name, version)) : [];
  if (losses.length > 0) return `Keras ${version} does not find the loss ${quoted(losses)} by the name in this file`;
  const optimizer = model.classes.find(({ name }) => name.startsWith('Custom>'))?.name;
  if (optimizer !== undefined && !isAtLeast(version, REGISTERED_OPTIMIZERS_SINCE))
    return `Keras ${version} does not know the optimizer \`${optimizer}\`, as ${writer} wrote it`;
  if (model.hasAutoReduction && isAtLeast(version, '3'))
    return `Keras ${version} does not know the reduction \`auto\` of its loss, as ${writer} wrote it`;
  return argumentRefusal(file, model, version, true);
}

function argumentRefusal(file: KerasFile, model: KerasModel, version: string, compiled: boolean): string | undefined {
  for (const { name, arguments: given } of model.classes) {
    const refused = given.filter((argument) => {
      const row = refusedArguments.get(`${name}.${argument}`);
      return row && (row.compiled ?? false) === compiled && isAmong(version, row['refused-by']);
    });
    if (refused.length > 0)
      return `Keras ${version} does not take ${quoted(refused)} of \`${name}\`, as ${writerOf(file)} wrote it`;
  }
  return undefined;
}

const versionOf = ({ writtenBy }: KerasFile) => /^Keras (\d[\d.]*)/.exec(writtenBy ?? '')?.[1];
const writerOf = ({ writtenBy }: KerasFile) => /^Keras [^,]*/.exec(writtenBy ?? '')?.[0] ?? 'the Keras that wrote it';

function isOfNextKeras({ writtenBy }: KerasFile, version: string): boolean {
  const written = /^Keras (\d+)/.exec(writtenBy ?? '')?.[1];
  return written !== undefined && Number(written) > Number.parseInt(version, 10);
}

const releases = readData<KerasReleases>(import.meta.dirname, 'kerasReleases');

const missingClasses = new Map(releases.classes.flatMap((row) => row.missing.map((name) => [name, row.in] as const)));

/** By class and argument: `LSTM.time_major`. */
const refusedArguments = new Map(
  releases.arguments.flatMap((row) => row.of.map((name) => [`${name}.${row.argument}`, row] as const)),
);

/** The classes and functions of Keras that some release wrote, and some other one refuses or lacks. */
export const kerasTableNames: ReadonlySet<string> = new Set([
  ...releases.arguments.flatMap((row) => row.of),
  ...missingClasses.keys(),
]);

/** The releases that refuse an argument of a class, or of any class where it is not known, as `keras 3..3.12.0`. */
export function kerasRefusing(argument: string, of: string | undefined): readonly string[] {
  return releases.arguments
    .filter((row) => row.argument === argument && (of === undefined || row.of.includes(of)))
    .flatMap((row) => row['refused-by']);
}

const isMissing = (name: string, version: string) => isAmong(version, missingClasses.get(name) ?? []);
const isRefusedLoss = (name: string, version: string) =>
  releases.losses.some((row) => row.names.includes(name) && isAmong(version, row['refused-by']));

/**
 * `keras 3..3.8.0`: the line, and its first and last version; without one of them, from its beginning or to its end. Keras
 * is a line of its own before 2.4 and from 3.0 on; that within TensorFlow has TensorFlow's numbers.
 */
function isAmong(version: string, ranges: readonly string[]): boolean {
  const own = isAtLeast(version, '2.4') && !isAtLeast(version, '3') ? 'tensorflow' : 'keras';
  return ranges.some((range) => {
    const [line, first = '', last = ''] = range.split(/ |\.\./);
    return line === own && (first === '' || isAtLeast(version, first)) && (last === '' || isAtMost(version, last));
  });
}

/** Names, the first few of many. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => `\`${name}\``);
  return enumerated(names.length > 3 ? [...shown, `${names.length - 3} more`] : shown);
}
