import type { FormatDeclaration } from '../declaration.ts';

/** To an unpickler, every file is a pickle, so `sniff.ts` recognizes pickles by what an unpickler does with them. */
export const pickle: FormatDeclaration = {
  title: 'pickle',
  noun: 'a pickle',
  kind: 'checkpoint',
  files: { offered: ['*.pkl', '*.pickle'] },
  read: async ({ bytes, budget }) => (await import('./plainPickle.ts')).readPlainPickle(bytes, budget),
  loading: { call: 'pickle.load(file)' },
};

export const joblib: FormatDeclaration = {
  title: 'joblib file',
  noun: 'a joblib file',
  kind: 'checkpoint',
  files: { offered: ['*.joblib'] },
  loading: { call: 'joblib.load(path)', by: '`joblib.load` reads' },
};
