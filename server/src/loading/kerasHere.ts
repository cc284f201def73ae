/** Determines whether the installed Keras loads a model. */

import { enumeratedCode } from '../checkpoint/enumerated.ts';
import type { KerasModel } from '../checkpoint/kerasModel.ts';
import { kerasHas } from '../published/releases/kerasReleases.ts';
import type { Here } from './here.ts';
import { h5pyRefusal, type KerasRefusal, kerasRefusal, lambdaRefusal } from './kerasVersions.ts';
import { type CheckpointHere, combineReasons, damageReasons, type Loadable, type OutlookReason } from './outlook.ts';

/** Checks a Keras file. HDF5 files and SavedModels are treated as Keras files if their contents say so. */
export function judgeKeras(file: Loadable, here: Here): CheckpointHere {
  if (file.format !== 'keras' && !file.writtenBy?.startsWith('Keras'))
    return combineReasons(file.format === 'saved-model' ? 'tf.saved_model.load(path)' : undefined, [
      ...(file.format === 'saved-model' ? damageReasons(file) : []),
      { outlook: 'unknown', because: isUnread(file) ? file.safety.reason : 'It does not record that Keras wrote it.' },
    ]);
  // Then `tf.keras` is Keras 2, regardless of other installed versions.
  const isLegacy = here.usesTfKeras === true && typeof here.tfKeras === 'string';
  const loader = isLegacy ? 'tf.keras.models.load_model(path)' : 'keras.models.load_model(path)';
  const call = file.holds === 'weights' ? 'model.load_weights(path)' : loader;
  return combineReasons(
    call,
    kerasReasons(file, isLegacy ? { ...here, keras: here.tfKeras, tfKeras: undefined } : here),
  );
}

/** True for an unread HDF5 file. The verdict is not enough: it is the same for a SavedModel, which is a program. */
const isUnread = ({ format, safety }: Loadable) => format === 'hdf5' && safety.verdict === 'not-checked';

/** Returns whether Keras loads the file; the backend decides where the weights go. */
function kerasReasons(file: Loadable, here: Here): OutlookReason[] {
  const { keras } = here;
  // In an HDF5 file, only the library can decide whether damage matters.
  const damage = file.format === 'hdf5' ? [] : damageReasons(file);
  if (keras === null)
    return [...damage, { outlook: 'fails', because: 'The selected Python has no Keras.', lacks: 'Keras' }];
  return [...damage, versionReason(file, keras, here)];
}

function versionReason(file: Loadable, keras: string | undefined, here: Here): OutlookReason {
  const refusal = (keras && refusalOf(file, keras)) || h5pyRefusal(file, here, keras);
  if (refusal) {
    const remedy = [refusal.remedy ?? [], otherKeras(file, keras, here) ?? []].flat().join(' ');
    return { outlook: 'fails', because: `${upperFirst(refusal.because)}.`, remedy: remedy === '' ? undefined : remedy };
  }
  if (!keras) return { outlook: 'unknown', because: 'The installed version of Keras is unknown.' };
  const uncertain = file.keras && uncertaintyOf(file, file.keras, keras, here.devices);
  if (uncertain !== undefined) return { outlook: 'unknown', because: uncertain };
  if (file.safety.verdict !== 'no-code') return { outlook: 'unknown', because: file.safety.reason };
  return { outlook: 'loads', because: `Keras ${keras} reads it, and no devices are stored in it.` };
}

function refusalOf(file: Loadable, keras: string): KerasRefusal | undefined {
  return kerasRefusal(file, keras) ?? lambdaRefusal(file, keras);
}

/** Suggests Keras 2 under its own name, if it is installed and accepts everything that Keras 3 rejects. */
function otherKeras(file: Loadable, keras: string | undefined, here: Here): string | undefined {
  const { tfKeras } = here;
  if (!keras || !kerasHas('keras_3', keras) || !tfKeras || file.format === 'saved-model') return undefined;
  const isUncertain = !file.keras || uncertaintyOf(file, file.keras, tfKeras, here.devices) !== undefined;
  if (isUncertain || file.safety.verdict !== 'no-code' || refusalOf(file, tfKeras)) return undefined;
  return `tf_keras ${tfKeras}, which is also installed, reads it: \`tf_keras.models.load_model(path)\`.`;
}

const upperFirst = (clause: string) => clause.charAt(0).toUpperCase() + clause.slice(1);

const FIRST_KERAS_3 = /^(Keras )?3\.0\./;

/** Returns notes that depend on the program that loads the model, or on how the model is used later. */
function uncertaintyOf(
  { format, writtenBy = '' }: Loadable,
  model: KerasModel,
  version: string,
  { cuda }: Here['devices'],
): string | undefined {
  const own = [...model.custom, ...model.customFunctions];
  if (own.length > 0) return `The program that loads it must pass ${enumeratedCode(own, 3)} in \`custom_objects\`.`;
  const needsGpu = model.classes.find(({ name }) => /^CuDNN(LSTM|GRU)$/.test(name));
  if (needsGpu && cuda?.count === 0) return `Its \`${needsGpu.name}\` runs only on NVIDIA GPUs, and ${cuda.because}.`;
  // Tested: 3.0.5 does not find the weights of these layers in either format, and no version finds those that 3.0.5
  // wrote to HDF5.
  const isAround = model.classes.some(({ name }) => name === 'Bidirectional');
  const isOfFirst = FIRST_KERAS_3.test(version) || (format === 'hdf5' && FIRST_KERAS_3.test(writtenBy));
  if (isAround && isOfFirst) return 'Keras 3.0 does not find the weights of every `Bidirectional` layer.';
  const attends = format === 'hdf5' && model.classes.some(({ name }) => name === 'MultiHeadAttention');
  return attends ? 'Versions of Keras differ in how they write `MultiHeadAttention` to HDF5.' : undefined;
}
