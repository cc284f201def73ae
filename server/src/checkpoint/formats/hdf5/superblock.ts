import type { Bytes } from '../../bytes.ts';
import { BEHIND_OTHER_DATA } from '../../unreadCheckpoint.ts';

const SIGNATURE = Buffer.from('894844460d0a1a0a', 'hex');
/** Maximum number of bytes that are checked before the start of an HDF5 file. */
const LONGEST_BLOCK = 1024 * 1024;

/**
 * Returns why a file contains more than the HDF5 library reads, as clauses that follow "Not checked:". The file may
 * start with a user block, and its superblock declares where the file ends:
 * https://docs.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html (II.A)
 */
export async function superblockDoubts(bytes: Bytes): Promise<string[]> {
  const start = await startOf(bytes);
  if (start === undefined) return [];
  const doubts: string[] = [];
  const before = await bytes.read(0, Math.min(start, LONGEST_BLOCK));
  if (start > LONGEST_BLOCK || before.some((byte) => byte !== 0)) doubts.push(BEHIND_OTHER_DATA);
  const head = await bytes.read(start, 48);
  const [version = 0] = head.subarray(8);
  // The sizes of addresses precede the addresses; older versions have more fields in between.
  const [sizeAt, addressesAt] = version < 2 ? [13, version === 0 ? 24 : 28] : [9, 12];
  if (head.length < 48 || head[sizeAt] !== 8) return doubts;
  const end = Number(head.readBigUInt64LE(addressesAt + 16));
  if (end < bytes.size) doubts.push(`it has ${bytes.size - end} bytes after its end`);
  return doubts;
}

async function startOf(bytes: Bytes): Promise<number | undefined> {
  for (let start = 0; start < bytes.size; start = start === 0 ? 512 : start * 2)
    if (SIGNATURE.equals(await bytes.read(start, SIGNATURE.length))) return start;
  return undefined;
}
