import type { Archive } from './zip.ts';

/** Bytes of the longest text that is parsed: a description of 150,000 tensors. */
export const LONGEST_JSON = 16 * 1024 * 1024;
/** Levels of the deepest text that is parsed; the parser of JavaScript takes kilobytes for each. */
const DEEPEST = 1000;

/** What a JSON text says; undefined for what is none, or is too long or too deep to be a checkpoint's. */
export function parsedJson(text: Buffer): unknown {
  if (text.length > LONGEST_JSON || depthOf(text) > DEEPEST) return undefined;
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A member of an archive as JSON; undefined when there is none, or it is none. */
export async function jsonIn(archive: Archive, name: string): Promise<unknown> {
  const member = archive.members.find((each) => each.name === name);
  const content = member && (await archive.open(member, LONGEST_JSON));
  return content && parsedJson(await content.read(0, Math.min(content.size, LONGEST_JSON + 1)));
}

/** The deepest nesting; brackets within texts count too, which does no harm. */
function depthOf(text: Buffer): number {
  let depth = 0;
  let deepest = 0;
  for (const byte of text) {
    if (byte === 0x5b || byte === 0x7b) deepest = Math.max(deepest, ++depth);
    else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return deepest;
}
