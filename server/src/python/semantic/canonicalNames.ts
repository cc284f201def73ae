/** One canonical name for objects that libraries export under several names. */

/** Returns `keras.x` for `tf.compat.v1.keras.x`, `tensorflow.python.keras.x` and `tf_keras.x`. */
export function canonicalName(name: string): string {
  if (!/^(tensorflow|tf_keras|keras|lightning|torch\.serialization)\./.test(name)) return name;
  return name
    .replace(/^tensorflow\.(compat\.v[12]|python|_api\.v[12]|contrib)\./, 'tensorflow.')
    .replace(/^(tensorflow\.keras|tf_keras|keras\.src|keras\.api(\._v\d)?)(?=\.|$)/, 'keras')
    .replace(/^lightning\.pytorch(?=\.|$)/, 'pytorch_lightning')
    .replace(/^torch\.serialization\.(load|save)$/, 'torch.$1');
}

/**
 * True for a module whose members have canonical names in other modules, so the module's name does not identify them.
 */
export function hasSeveralNames(module: string): boolean {
  return /^(?:lightning|tf_keras|tensorflow(?:\.(?:compat|python|_api|contrib)(?:\.v[12])?)?|keras\.api|torch\.serialization)$/.test(
    module,
  );
}
