import type { FormatDeclaration } from '../declaration.ts';

export const keras: FormatDeclaration = {
  title: 'Keras model',
  noun: 'a Keras model',
  kind: 'checkpoint',
  files: { opened: ['*.keras'] },
  loading: { readers: ['keras'] },
};
