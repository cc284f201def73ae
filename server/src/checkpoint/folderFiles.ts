/** The files that represent the model in a folder. */

/** Files that describe their folder: an editor opens one to show the folder. */
const DESCRIPTIONS: readonly string[] = ['saved_model.pb', 'model_index.json'];

/**
 * File names for weights in Hugging Face's libraries, in transformers' order of preference: small models are in one file,
 * without an index.
 */
export const WEIGHTS: readonly string[] = [
  'model',
  'diffusion_pytorch_model',
  'pytorch_model',
  'adapter_model',
].flatMap((name) =>
  ['safetensors', 'safetensors.index.json', 'bin', 'bin.index.json'].map((suffix) => `${name}.${suffix}`),
);

/** True for a file that describes its whole folder. */
export function standsForFolder(name: string): boolean {
  return DESCRIPTIONS.includes(name);
}

/**
 * Returns the file that contains the weights of a model folder or lists their files; undefined if there is no candidate
 * or more than one.
 */
export function weightsAmong(names: readonly string[]): string | undefined {
  const usual = WEIGHTS.find((name) => names.includes(name));
  if (usual !== undefined) return usual;
  const indexes = names.filter((name) => name.endsWith('.index.json'));
  return indexes.length === 1 ? indexes[0] : undefined;
}

/** Returns the file that an editor opens to show the model in a folder; undefined for a folder without one. */
export function fileToOpen(names: readonly string[]): string | undefined {
  return DESCRIPTIONS.find((name) => names.includes(name)) ?? weightsAmong(names);
}
