import type { Bytes } from '../../bytes.ts';

const SIGNATURE = Buffer.from('894844460d0a1a0a', 'hex');

/** Returns where an HDF5 file starts: at 0, or after a user block whose size is 512 or any doubling of it. */
export async function superblockOf(bytes: Bytes): Promise<number | undefined> {
  const starts = [0];
  for (let start = 512; start < bytes.size; start *= 2) starts.push(start);
  const found = await Promise.all(starts.map((start) => bytes.read(start, SIGNATURE.length)));
  return starts[found.findIndex((content) => SIGNATURE.equals(content))];
}
