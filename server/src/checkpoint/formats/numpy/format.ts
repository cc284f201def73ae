import type { FormatDeclaration } from '../declaration.ts';
import { startsWith } from '../signature.ts';

export const numpy: FormatDeclaration = {
  title: 'NumPy array',
  noun: 'a NumPy array',
  kind: 'checkpoint',
  files: { searched: ['*.npy'] },
  hasSignature: ({ head }) => startsWith(head, '\x93NUMPY'),
  read: async ({ bytes, budget }) => (await import('./numpy.ts')).readNumpy(bytes, budget),
  loading: { call: 'numpy.load(path)' },
};

export const numpyArchive: FormatDeclaration = {
  title: 'NumPy arrays',
  noun: 'an archive of NumPy arrays',
  kind: 'checkpoint',
  files: { searched: ['*.npz'] },
  loading: { call: 'numpy.load(path)' },
};
