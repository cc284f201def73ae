/**
 * Makes text of unknown origin safe to print. Names from a file, a machine or a repository may contain line ends, which
 * start a new command, escape sequences, which control a terminal, or Unicode's bidirectional controls, which display
 * text in another order than it is interpreted (CVE-2021-42574).
 */

/** Control characters, line and paragraph separators, and the bidirectional controls. */
const UNPRINTABLE = String.raw`\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}`;

const UNPRINTABLE_RUNS = new RegExp(`[${UNPRINTABLE}]+`, 'gu');
const EACH_UNPRINTABLE = new RegExp(`(?!\\t)[${UNPRINTABLE}\ufeff]`, 'gu');
const UNPRINTABLE_IN_LINES = new RegExp(`(?![\\n\\t])[${UNPRINTABLE}]`, 'gu');

/** Returns the text as one line, with a space for each run of such characters. */
export function oneLine(text: string): string {
  return text.replace(UNPRINTABLE_RUNS, ' ').trim();
}

/**
 * Returns the text with a picture for each control character (`␛`), or a replacement character if there is no picture.
 * Keeps tabs and removes byte order marks.
 */
export function printable(text: string): string {
  return text.replace(EACH_UNPRINTABLE, pictureOf);
}

/** Like `printable`, but keeps line feeds. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function pictureOf(character: string): string {
  if (character === '\ufeff') return '';
  return character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : '\ufffd';
}

/** Returns JSON of the value with each such character escaped. `indent` is as in `JSON.stringify`. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    UNPRINTABLE_IN_LINES,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns the plain data with each string on one line. Keys are unchanged. */
export function withOneLineTexts<T>(value: T): T {
  if (typeof value === 'string') return oneLine(value) as T;
  if (Array.isArray(value)) return value.map(withOneLineTexts) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withOneLineTexts(each)])) as T;
}
