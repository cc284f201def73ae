import type { Bytes } from '../bytes.ts';
import type { Directory, Member } from './zipDirectory.ts';

/** A local header, which precedes the member's content. */
export const LOCAL_HEADER = 0x04034b50;
export const LOCAL_HEADER_SIZE = 30;

/**
 * Maximum number of bytes between two members for an extra field, which PyTorch uses for alignment, and a data
 * descriptor.
 */
const USUAL_SLACK = 128;
const LONGEST_DESCRIPTOR = 24;

/** Returns why two readers of a ZIP file may find different contents, each as a clause that follows "Not checked:". */
export async function zipDoubts(bytes: Bytes, { members, offset, doubts }: Directory): Promise<string[]> {
  return [...doubts, ...namesIn(members), ...(await layoutOf(bytes, members, offset))];
}

function namesIn(members: readonly Member[]): string[] {
  const doubts: string[] = [];
  const seen = new Set<string>();
  // PyTorch ignores the case of names. Python uses the last of several members with the same name.
  const twice = members.find(({ name }) => {
    const folded = name.toLowerCase();
    return seen.has(folded) || !seen.add(folded);
  });
  if (twice) doubts.push(`it has more than one member named \`${twice.name}\`, ignoring case`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: readers end a name at such characters, or do not.
  const strange = members.find(({ name }) => /[\x00-\x1f\\\ufffd]/.test(name));
  if (strange) doubts.push('a member name contains a character that readers interpret differently');
  const outside = members.find(({ name }) => name.startsWith('/') || /(^|\/)\.\.(\/|$)/.test(name));
  if (outside) doubts.push(`its member \`${outside.name}\` would be extracted outside the target folder`);
  return doubts;
}

/** Checks that the members fill the file from its first byte to the central directory. */
async function layoutOf(bytes: Bytes, members: readonly Member[], end: number): Promise<string[]> {
  const inOrder = [...members].sort((one, other) => one.offset - other.offset);
  const first = inOrder[0]?.offset ?? end;
  if (first > 0) return ['it has data before its first member'];
  for (const [index, member] of inOrder.entries()) {
    const next = inOrder[index + 1]?.offset ?? end;
    // A character of a name takes between one and three bytes.
    const slack = next - member.offset - LOCAL_HEADER_SIZE - member.packedSize - member.name.length;
    if (slack < 0) return [`its member \`${member.name}\` overlaps with another one`];
    if (slack <= USUAL_SLACK) continue;
    const header = await bytes.read(member.offset, LOCAL_HEADER_SIZE);
    if (header.length < LOCAL_HEADER_SIZE) return [`its member \`${member.name}\` has no local header`];
    const taken = LOCAL_HEADER_SIZE + header.readUInt16LE(26) + header.readUInt16LE(28) + member.packedSize;
    if (next - member.offset - taken > LONGEST_DESCRIPTOR)
      return [`it has data after \`${member.name}\` that does not belong to a member`];
  }
  return [];
}

/** Returns how a member's local header differs from the central directory, as a clause. */
export function differenceOf(header: Buffer, name: Buffer, member: Member): string | undefined {
  const isSame =
    name.equals(Buffer.from(member.name)) &&
    header.readUInt16LE(8) === member.method &&
    sizesAgree([header.readUInt32LE(18), header.readUInt32LE(22)], member);
  return isSame ? undefined : `the header of its member \`${member.name}\` differs from its table of contents`;
}

/** The sizes may follow the content or be in the extra fields instead. */
function sizesAgree([packed, size]: readonly number[], member: Member): boolean {
  const isElsewhere = (declared: number | undefined) => declared === 0 || declared === 0xffffffff;
  return (isElsewhere(packed) || packed === member.packedSize) && (isElsewhere(size) || size === member.size);
}
