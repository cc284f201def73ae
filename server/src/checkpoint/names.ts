/** The suffixes that checkpoints usually have. What a file is, only its content says. */
export const CHECKPOINT_SUFFIXES: readonly string[] = [
  'pt',
  'pth',
  'ckpt',
  'bin',
  'pkl',
  'pickle',
  'tar',
  'pt2',
  'ptl',
  'safetensors',
  'gguf',
  'keras',
  'h5',
  'hdf5',
];
