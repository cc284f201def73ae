/**
 * Text from a file as it can be shown: characters that are invisible, steer a terminal or turn the direction of writing
 * are written out, as `\u202e`.
 */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Longer texts are cut in lists: a name may have a million characters. */
const LONGEST = 300;

/** The same, for a line of a list. */
export function shortened(text: string): string {
  return visible(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/** Characters that the end of a name may have which is not cut before its beginning is. */
const LONGEST_ENDING = 16;

/** Where the last parts of a name begin that together are short: `mlp.down.weight`. A single part may be long. */
export function endingOf(name: string): number {
  let at = name.lastIndexOf('.') + 1;
  while (at >= 2) {
    const next = name.lastIndexOf('.', at - 2) + 1;
    if (next === 0 || name.length - next > LONGEST_ENDING) break;
    at = next;
  }
  return at;
}
