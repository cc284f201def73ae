/** The relation between a TensorFlow and the Keras beside it, which it imports as tf.keras, or whose objects do not mix with its own. */
import { tensorflowHas } from '../published/releases/tensorflowReleases.ts';
import { minorOf } from '../published/versions.ts';
import type { Fit } from './relation.ts';

/** The Keras that a TensorFlow works with: "2.15", "3", or "2" if it contains its own. */
interface KerasDetails {
  readonly needed: string;
}

/** Returns whether an installed Keras is one that a TensorFlow works with. */
export function tensorflowKeras(tensorflow: string, keras: string): Fit<KerasDetails> {
  if (!tensorflowHas('separate_keras', tensorflow)) return { fit: 'unknown', missing: 'its own Keras' };
  const needed = tensorflowHas('keras_3', tensorflow) ? '3' : minorOf(tensorflow);
  return { fit: `${keras}.`.startsWith(`${needed}.`) ? 'holds' : 'fails', needed };
}
