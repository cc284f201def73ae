import type { FormatDeclaration } from '../declaration.ts';

export const tensorflowCheckpoint: FormatDeclaration = {
  title: 'TensorFlow checkpoint',
  noun: 'a TensorFlow checkpoint',
  kind: 'checkpoint',
  hasSignature: async ({ bytes }) => (await import('./table.ts')).isTable(bytes),
  read: async ({ bytes, budget, path }) => (await import('./bundle.ts')).readBundle(bytes, budget, path),
  isCodeFree: true,
  loading: { call: 'tf.train.load_checkpoint(path)' },
};

export const savedModel: FormatDeclaration = {
  title: 'TensorFlow SavedModel',
  noun: 'a TensorFlow SavedModel',
  kind: 'checkpoint',
  files: { offered: ['saved_model.pb'] },
  folder: {
    holds: (names) => names.includes('saved_model.pb') || names.includes('saved_model.pbtxt'),
    read: async (path, names, budget) => (await import('./savedModel.ts')).readSavedModel(path, names, budget),
  },
  loading: { readers: ['keras', 'saved-model'] },
};
