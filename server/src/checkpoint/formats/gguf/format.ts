import type { FormatDeclaration } from '../declaration.ts';
import { startsWith } from '../signature.ts';

export const gguf: FormatDeclaration = {
  title: 'GGUF',
  noun: 'a GGUF file',
  kind: 'checkpoint',
  files: { opened: ['*.gguf'] },
  hasSignature: ({ head }) => startsWith(head, 'GGUF'),
  read: async ({ bytes, budget }) => (await import('./gguf.ts')).readGguf(bytes, budget),
  loading: { call: 'llama_cpp.Llama(model_path=path)' },
};
