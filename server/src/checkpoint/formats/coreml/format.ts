import type { FormatDeclaration } from '../declaration.ts';

/** The file in a package that gives the path of its model. */
const MANIFEST = 'Manifest.json';

export const coreml: FormatDeclaration = {
  title: 'Core ML model',
  noun: 'a Core ML model',
  kind: 'checkpoint',
  files: { offered: ['*.mlmodel'] },
  looksLikeIt: async (head) => (await import('./coreml.ts')).isCoreMl(head),
  read: async ({ bytes, budget }) => (await import('./coreml.ts')).readCoreMl(bytes, budget),
  folder: {
    holds: (names) => names.includes(MANIFEST) && names.includes('Data'),
    read: async (path, _, budget) => (await import('./package.ts')).readCoreMlPackage(path, budget),
  },
};
