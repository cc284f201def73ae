import type { FormatDeclaration } from '../declaration.ts';
import { superblockOf } from './superblock.ts';

export const hdf5: FormatDeclaration = {
  title: 'HDF5 file',
  noun: 'an HDF5 file',
  kind: 'checkpoint',
  files: { offered: ['*.h5', '*.hdf5'] },
  hasSignature: async ({ bytes }) => (await superblockOf(bytes)) !== undefined,
  read: async ({ bytes, budget }) => (await import('./hdf5.ts')).readHdf5(bytes, budget),
  loading: { by: 'Keras and `h5py` read', readers: ['keras'], sometimesReaders: ['transformers'] },
};
