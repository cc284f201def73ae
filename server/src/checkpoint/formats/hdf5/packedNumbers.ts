/**
 * Detection of numbers that use only some of their bits, such as 7 bits starting at bit 1. Some libraries convert these
 * numbers on reading and so unpickle bytes that differ from those in the file; the HDF5 library used here does not show
 * the difference. A datatype message of class 0 or 1 declares such numbers:
 * https://docs.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html (IV.A.2.d)
 */

const SIZES = [1, 2, 4, 8];
const MESSAGE = 12;

/** True if metadata may contain such a type. Other bytes can look the same. */
export function mayHavePackedNumbers(content: Uint8Array): boolean {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  for (let at = 0; at + MESSAGE <= content.length; at++) {
    const [head = 0, first = 0] = [content[at], content[at + 1]];
    // Version and class, flags whose last byte is unused, size in bytes.
    if ((head & 0x0f) > 1 || head >> 4 < 1 || head >> 4 > 5 || first > 0x7f || content[at + 3] !== 0) continue;
    const size = view.getUint32(at + 4, true);
    if (!SIZES.includes(size)) continue;
    const [offset, precision] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
    const isWithin = precision > 0 && offset + precision <= size * 8;
    if (isWithin && (offset !== 0 || precision !== size * 8)) return true;
  }
  return false;
}
