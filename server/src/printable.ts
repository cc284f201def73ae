/**
 * Text of unknown origin, made safe to print. A file, a machine or a repository may name things with line ends, which
 * would begin a command of their own, with escape sequences, which steer a terminal, or with the bidirectional controls
 * of Unicode, which show text in another order than it is read in (CVE-2021-42574).
 */

/** Control characters, line and paragraph separators, and the bidirectional controls. */
const UNPRINTABLE = String.raw`\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}`;

const RUNS = new RegExp(`[${UNPRINTABLE}]+`, 'gu');
const EACH = new RegExp(`(?!\\t)[${UNPRINTABLE}\ufeff]`, 'gu');
const IN_LINES = new RegExp(`(?![\\n\\t])[${UNPRINTABLE}]`, 'gu');

/** The text as one line, with a blank for each run of such characters. */
export function oneLine(text: string): string {
  return text.replace(RUNS, ' ').trim();
}

/**
 * The text with the picture of each control character (`␛`), and a replacement character for what has none, which shows
 * that there was one. Tabs stay, and byte order marks go.
 */
export function printable(text: string): string {
  return text.replace(EACH, shown);
}

/** The same for text of several lines, whose line feeds stay, too. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function shown(character: string): string {
  if (character === '\ufeff') return '';
  return character < ' ' ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : '\ufffd';
}

/** JSON of the same value in which each such character is escaped. `indent` is as in `JSON.stringify`. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    IN_LINES,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The same plain data with each text in it as one line. Keys stay as they are. */
export function withOneLineTexts<T>(value: T): T {
  if (typeof value === 'string') return oneLine(value) as T;
  if (Array.isArray(value)) return value.map(withOneLineTexts) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withOneLineTexts(each)])) as T;
}
