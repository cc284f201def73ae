import type { FormatDeclaration } from '../declaration.ts';

export const onnx: FormatDeclaration = {
  title: 'ONNX model',
  noun: 'an ONNX model',
  kind: 'checkpoint',
  files: { offered: ['*.onnx'] },
  looksLikeIt: async (head) => (await import('./onnx.ts')).isOnnx(head),
  read: async ({ bytes, budget, path }) => (await import('./onnx.ts')).readOnnx(bytes, budget, path),
  loading: { call: 'onnxruntime.InferenceSession(path)', by: 'ONNX Runtime loads' },
};
