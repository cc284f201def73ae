import type { Checkpoint } from '../../checkpoint/checkpoint.ts';
import { isAtLeast } from './versions.ts';

/**
 * Why an installed Keras certainly does not load a model, as a clause; undefined where it does, or may.
 *
 * Keras 3 names a layer's input `batch_shape` and its type a policy, which Keras 2 does not know; and it has no loader for
 * the folders of TensorFlow: https://keras.io/guides/migrating_to_keras_3/
 */
export function kerasRefusal(file: Pick<Checkpoint, 'format' | 'writtenBy' | 'imports'>, keras: string) {
  const { format, writtenBy } = file;
  const written = /^Keras (\d+)/.exec(writtenBy ?? '')?.[1];
  const installed = Number.parseInt(keras, 10);
  if (format === 'saved-model')
    return installed >= 3 ? `Keras ${keras} does not load the folders that TensorFlow calls SavedModel` : undefined;
  if (written === undefined || Number(written) < installed) return undefined;
  return Number(written) > installed || hasUnknownArgument(file, keras)
    ? `Keras ${keras} does not load what ${writtenBy} wrote`
    : undefined;
}

/**
 * From 3.13 on a Dense layer is written with its `quantization_config`, which older ones take for a mistake: 3.12 was seen to
 * refuse what 3.15 wrote.
 */
function hasUnknownArgument({ writtenBy = '', imports }: Pick<Checkpoint, 'writtenBy' | 'imports'>, keras: string) {
  const since = '3.13';
  return (
    isAtLeast(writtenBy.replace('Keras ', ''), since) &&
    !isAtLeast(keras, since) &&
    imports.some(({ name }) => name === 'keras.layers.Dense')
  );
}
