import type { FormatDeclaration } from '../declaration.ts';

export const tflite: FormatDeclaration = {
  title: 'TensorFlow Lite model',
  noun: 'a TensorFlow Lite model',
  kind: 'checkpoint',
  files: { offered: ['*.tflite'] },
  hasSignature: ({ head }) => head.toString('latin1', 4, 8) === 'TFL3',
  read: async ({ bytes, budget }) => (await import('./tflite.ts')).readTflite(bytes, budget),
  loading: { call: 'tf.lite.Interpreter(model_path=path)', by: 'its interpreter loads' },
};
