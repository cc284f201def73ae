/**
 * Numbers that use only a part of their bytes, such as 7 bits from bit 1 on. Some libraries convert them when they read, and so
 * unpickle other bytes than those that lie in the file; the HDF5 library in use does not show the difference. A datatype message of
 * class 0 or 1 tells it: https://docs.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html (IV.A.2.d)
 */

const SIZES = [1, 2, 4, 8];
const MESSAGE = 12;

/** True where metadata may hold such a type; a look at bytes alone cannot rule out that it is something else. */
export function mayHavePackedNumbers(content: Uint8Array): boolean {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  for (let at = 0; at + MESSAGE <= content.length; at++) {
    const [head = 0, first = 0] = [content[at], content[at + 1]];
    // Version and class, then flags of which the last byte is unused, then the size in bytes.
    if ((head & 0x0f) > 1 || head >> 4 < 1 || head >> 4 > 5 || first > 0x7f || content[at + 3] !== 0) continue;
    const size = view.getUint32(at + 4, true);
    if (!SIZES.includes(size)) continue;
    const [offset, precision] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const isWithin = precision > 0 && offset + precision <= size * 8;
    if (isWithin && (offset !== 0 || precision !== size * 8)) return true;
  }
  return false;
}
