/**
 * Detection of datasets whose bytes are in other files, which the library does not report. Their object header has a
 * message of type 7, "External Data Files": https://docs.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html (IV.A.2.h)
 */

/** Offsets in version 1 and version 2 headers; a size and flags come between type and version. */
const FORMS = [
  { type: [0x07, 0x00], version: 8 },
  { type: [0x07], version: 4 },
  { type: [0x07], version: 6 },
] as const;
const VERSION = [1, 0, 0, 0];

/**
 * Returns the addresses of the heaps with the file names, for all bytes that may be such a message. The caller must
 * check whether a heap exists there.
 */
export function heapsOfExternalFiles(content: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = content.indexOf(0x07); at >= 0; at = content.indexOf(0x07, at + 1))
    for (const { type, version } of FORMS) {
      const body = at + version;
      if (body + 16 > content.length || !starts(content, at, type) || !starts(content, body, VERSION)) continue;
      const view = new DataView(content.buffer, content.byteOffset + body, 16);
      const [slots, used] = [view.getUint16(4, true), view.getUint16(6, true)];
      if (used === 0 || used > slots) continue;
      found.push(Number(view.getBigUint64(8, true)), view.getUint32(8, true));
    }
  return found;
}

function starts(content: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, index) => content[at + index] === byte);
}
