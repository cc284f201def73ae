import type { Bytes } from '../../bytes.ts';
import type { FormatDeclaration } from '../declaration.ts';

export const hdf5: FormatDeclaration = {
  title: 'HDF5 file',
  noun: 'an HDF5 file',
  kind: 'checkpoint',
  files: { offered: ['*.h5', '*.hdf5'] },
  hasSignature: async ({ bytes }) => (await superblockOf(bytes)) !== undefined,
  read: async ({ bytes, budget }) => (await import('./hdf5.ts')).readHdf5(bytes, budget),
  loading: { by: 'Keras and `h5py` read', readers: ['keras'], sometimesReaders: ['transformers'] },
};

const SIGNATURE = Buffer.from('894844460d0a1a0a', 'hex');

/** Returns where an HDF5 file starts: at 0, or after a user block whose size is 512 or any doubling of it. */
export async function superblockOf(bytes: Bytes): Promise<number | undefined> {
  const starts = [0];
  for (let start = 512; start < bytes.size; start *= 2) starts.push(start);
  const found = await Promise.all(starts.map((start) => bytes.read(start, SIGNATURE.length)));
  return starts[found.findIndex((content) => SIGNATURE.equals(content))];
}
