/** What the installed Keras says to a model. */

import type { KerasModel } from '../checkpoint/kerasModel.ts';
import { isAtLeast } from '../published/versions.ts';
import type { Here } from './here.ts';
import { lambdaRefusal } from './kerasLambda.ts';
import { h5pyRefusal, type KerasRefusal, kerasRefusal } from './kerasVersions.ts';
import { type CheckpointHere, damageIn, judged, type Loadable, listed, type Reason } from './outlook.ts';

/** HDF5 files and SavedModels are of Keras where they say so. */
export function judgeKeras(file: Loadable, here: Here): CheckpointHere {
  if (file.format !== 'keras' && !file.writtenBy?.startsWith('Keras'))
    return judged(file.format === 'saved-model' ? 'tf.saved_model.load(path)' : undefined, [
      ...(file.format === 'saved-model' ? damageIn(file) : []),
      { outlook: 'unknown', because: isUnread(file) ? file.safety.reason : 'It does not say that Keras wrote it.' },
    ]);
  // `tf.keras` is Keras 2 then, whatever Keras is installed beside it.
  const isLegacy = here.takesTfKeras === true && typeof here.tfKeras === 'string';
  const loader = isLegacy ? 'tf.keras.models.load_model(path)' : 'keras.models.load_model(path)';
  const call = file.holds === 'weights' ? 'model.load_weights(path)' : loader;
  return judged(call, kerasReasons(file, isLegacy ? { ...here, keras: here.tfKeras, tfKeras: undefined } : here));
}

/** A SavedModel that was read is not checked either: it is a program. */
const isUnread = ({ format, safety }: Loadable) => format === 'hdf5' && safety.verdict === 'not-checked';

/** What Keras would say to the file; where it puts the weights is up to its backend. */
function kerasReasons(file: Loadable, here: Here): Reason[] {
  const { keras } = here;
  // Of an HDF5 file only the library knows whether what is broken matters.
  const damage = file.format === 'hdf5' ? [] : damageIn(file);
  if (keras === null) return [...damage, { outlook: 'fails', because: 'The selected Python has no Keras.' }];
  return [...damage, readBy(file, keras, here)];
}

function readBy(file: Loadable, keras: string | undefined, here: Here): Reason {
  const refusal = (keras && refusalBy(file, keras, here)) || h5pyRefusal(file, here, keras);
  if (refusal) {
    const remedy = [refusal.remedy ?? [], otherKeras(file, keras, here) ?? []].flat().join(' ');
    return { outlook: 'fails', because: `${upperFirst(refusal.because)}.`, ...(remedy !== '' && { remedy }) };
  }
  if (!keras) return { outlook: 'unknown', because: 'Which Keras is installed is not known.' };
  const uncertain = file.keras && uncertaintyOf(file, file.keras, keras, here.devices);
  if (uncertain !== undefined) return { outlook: 'unknown', because: uncertain };
  if (file.safety.verdict !== 'no-code') return { outlook: 'unknown', because: file.safety.reason };
  return { outlook: 'loads', because: `Keras ${keras} reads it, and it names no devices.` };
}

function refusalBy(file: Loadable, keras: string, { python }: Here): KerasRefusal | undefined {
  return kerasRefusal(file, keras) ?? lambdaRefusal(file, keras, python);
}

/** Keras 2 under its own name, where it is installed too and knows all that Keras 3 refuses. */
function otherKeras(file: Loadable, keras: string | undefined, here: Here): string | undefined {
  const { tfKeras } = here;
  if (!keras || !isAtLeast(keras, '3') || !tfKeras || file.format === 'saved-model') return undefined;
  const isUncertain = !file.keras || uncertaintyOf(file, file.keras, tfKeras, here.devices) !== undefined;
  if (isUncertain || file.safety.verdict !== 'no-code' || refusalBy(file, tfKeras, here)) return undefined;
  return `tf_keras ${tfKeras}, which is installed too, reads it: \`tf_keras.models.load_model(path)\`.`;
}

const upperFirst = (clause: string) => clause.charAt(0).toUpperCase() + clause.slice(1);

const FIRST_KERAS_3 = /^(Keras )?3\.0\./;

/** What of a model depends on the program that loads it, or on what is done with it then. */
function uncertaintyOf(
  { format, writtenBy = '' }: Loadable,
  model: KerasModel,
  version: string,
  { cuda }: Here['devices'],
): string | undefined {
  const own = [...model.custom, ...model.customFunctions];
  if (own.length > 0)
    return `The program that loads it has to bring ${listed(own.slice(0, 3))}, by \`custom_objects\`.`;
  const needsGpu = model.classes.find(({ name }) => /^CuDNN(LSTM|GRU)$/.test(name));
  if (needsGpu && cuda?.count === 0)
    return `Its \`${needsGpu.name}\` computes on NVIDIA's GPUs only, and ${cuda.because}.`;
  // Seen to: 3.0.5 does not find its weights again, in either format, and nobody those that it wrote to HDF5.
  const isAround = model.classes.some(({ name }) => name === 'Bidirectional');
  const isOfFirst = FIRST_KERAS_3.test(version) || (format === 'hdf5' && FIRST_KERAS_3.test(writtenBy));
  if (isAround && isOfFirst) return 'Keras 3.0 does not find the weights of every `Bidirectional` again.';
  const attends = format === 'hdf5' && model.classes.some(({ name }) => name === 'MultiHeadAttention');
  return attends ? 'Versions of Keras differ in how they write `MultiHeadAttention` to HDF5.' : undefined;
}
