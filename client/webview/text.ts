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
