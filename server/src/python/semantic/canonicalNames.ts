/** One name for what libraries offer under several. */

/** `tf.compat.v1.keras.x`, `tensorflow.python.keras.x` and `tf_keras.x` are `keras.x`. */
export function canonicalName(name: string): string {
  if (!/^(tensorflow|tf_keras|keras|lightning|torch\.serialization)\./.test(name)) return name;
  return name
    .replace(/^tensorflow\.(compat\.v[12]|python|_api\.v[12]|contrib)\./, 'tensorflow.')
    .replace(/^(tensorflow\.keras|tf_keras|keras\.src|keras\.api(\._v\d)?)(?=\.|$)/, 'keras')
    .replace(/^lightning\.pytorch(?=\.|$)/, 'pytorch_lightning')
    .replace(/^torch\.serialization\.(load|save)$/, 'torch.$1');
}

/** True for a module of which parts have another name than it, so that its own says nothing of theirs. */
export function isOfManyNames(module: string): boolean {
  return /^(?:lightning|tf_keras|tensorflow(?:\.(?:compat|python|_api|contrib)(?:\.v[12])?)?|keras\.api|torch\.serialization)$/.test(
    module,
  );
}
