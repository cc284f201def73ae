/**
 * Text from a file in displayable form: invisible characters, terminal controls and text direction marks are escaped,
 * as `\u202e`.
 */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Length beyond which texts are cut in lists: a name may have a million characters. */
const LONGEST = 300;

/** The same, for one line of a list. */
export function shortened(text: string): string {
  return visible(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

/** Maximum length of a name's end that is kept when its start is cut. */
const LONGEST_ENDING = 16;

/** As many of the last parts of a name as are short in total: `mlp.down.weight`. A single part may be long. */
export function endingOf(name: string): number {
  let at = name.lastIndexOf('.') + 1;
  while (at >= 2) {
    const next = name.lastIndexOf('.', at - 2) + 1;
    if (next === 0 || name.length - next > LONGEST_ENDING) break;
    at = next;
  }
  return at;
}
