import type { Checkpoint } from '../checkpoint/checkpoint.ts';

/**
 * Why an installed Keras certainly does not load a model, as a clause; undefined where it does, or may.
 *
 * Keras 3 names a layer's input `batch_shape` and its type a policy, which Keras 2 does not know; and it has no loader for
 * the folders of TensorFlow: https://keras.io/guides/migrating_to_keras_3/
 */
export function kerasRefusal({ format, writtenBy }: Pick<Checkpoint, 'format' | 'writtenBy'>, keras: string) {
  const written = /^Keras (\d+)/.exec(writtenBy ?? '')?.[1];
  const installed = Number.parseInt(keras, 10);
  if (format === 'saved-model')
    return installed >= 3 ? `Keras ${keras} does not load the folders that TensorFlow calls SavedModel` : undefined;
  if (written === undefined || Number(written) <= installed) return undefined;
  return `Keras ${keras} does not load what ${writtenBy} wrote`;
}
