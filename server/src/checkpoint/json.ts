import type { Archive } from './zip.ts';

/** A member of an archive as JSON; undefined when there is none, or it is none. */
export async function jsonIn(archive: Archive, name: string): Promise<unknown> {
  const member = archive.members.find((each) => each.name === name);
  const content = member && (await archive.open(member));
  if (!content || content.size > LONGEST) return undefined;
  try {
    return JSON.parse((await content.read(0, content.size)).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Bytes of the longest description that is read. */
const LONGEST = 64 * 1024 * 1024;
