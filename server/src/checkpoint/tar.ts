import { type Bytes, slice } from './bytes.ts';

const BLOCK = 512;
/** Members after which no more are looked for. */
const MOST_MEMBERS = 1000;

/** The files in a tar archive, by name; those before the place where it is cut off or damaged. */
export async function tarMembers(bytes: Bytes): Promise<Map<string, Bytes>> {
  const members = new Map<string, Bytes>();
  for (let at = 0; at + BLOCK <= bytes.size && members.size < MOST_MEMBERS; ) {
    const header = await bytes.read(at, BLOCK);
    const name = textIn(header, 0, 100);
    const size = Number.parseInt(textIn(header, 124, 12), 8);
    if (name === '' || !Number.isSafeInteger(size) || size < 0) break;
    members.set(name, slice(bytes, at + BLOCK, size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return members;
}

function textIn(header: Buffer, start: number, length: number): string {
  const text = header.toString('latin1', start, start + length);
  const end = text.indexOf('\0');
  return (end < 0 ? text : text.slice(0, end)).trim();
}
