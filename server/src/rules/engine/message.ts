/** Builds messages for findings that fit on one line. */

import type { Span } from '../../python/semantic/source.ts';
import type { Observation } from './contract.ts';

/** The maximum length of a message, in characters: a line in the editor's list of problems and in a terminal. */
export const LONGEST_MESSAGE = 120;

/** Quotations are never shortened below this length, in characters. */
const SHORTEST_QUOTATION = 8;

/** Text from the user's files within a message. */
export interface Quotation {
  readonly quoted: string;
}

/** Marks text from the user's files, which may be of any length. */
export const quoted = (text: string): Quotation => ({ quoted: text });

type Part = string | number | Quotation;

/**
 * Builds a message from fixed words and quotations. If it would be too long, the longest quotations end in an ellipsis.
 */
export function message(words: TemplateStringsArray, ...parts: readonly Part[]): string {
  let text = joined(words, parts, LONGEST_MESSAGE);
  for (let most = LONGEST_MESSAGE; text.length > LONGEST_MESSAGE && most >= SHORTEST_QUOTATION; most--)
    text = joined(words, parts, most);
  return text;
}

function joined(words: TemplateStringsArray, parts: readonly Part[], most: number): string {
  return words.reduce((text, word, index) => {
    const part = parts[index - 1] ?? '';
    return `${text}${typeof part === 'object' ? shortened(part.quoted, most) : part}${word}`;
  });
}

/** Returns the beginning of overlong text up to the end of a name, if one ends late enough, with a backtick to close its code. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 2);
  const whole = cut.replace(/[\w-]+$/, '');
  const beginning = whole.length > cut.length / 2 ? whole : cut;
  const isInCode = (beginning.match(/`/g)?.length ?? 0) % 2 === 1;
  return `${beginning}…${isInCode ? '`' : ''}`;
}

/** Returns the first of several wordings that fits; the last one has to. Nothing in it is cut. */
export const fitted = (...wordings: readonly [string, ...string[]]): string =>
  wordings.find((text) => text.length <= LONGEST_MESSAGE) ?? wordings.at(-1) ?? '';

/** Returns the title of a fix that fits on one line: its longest code ends at its first `else`, or is cut. */
export function shortTitle(title: string): string {
  if (title.length <= LONGEST_MESSAGE) return title;
  const [longest = ''] = [...(title.match(/`[^`]*`/g) ?? [])].sort((a, b) => b.length - a.length);
  const branch = longest.replace(/ else .*?(?=\)*`$)/s, ' else …');
  const most = LONGEST_MESSAGE - (title.length - longest.length);
  return title.replace(longest, () => shortened(branch, Math.max(most, SHORTEST_QUOTATION)));
}

/**
 * Returns the first consequence that fits in a message together with its cause. If none does, returns the first one by
 * itself, and the cause becomes a related place. Consequences end with a period, the cause does not.
 */
export function withCause(
  span: Span,
  consequences: readonly [string, ...string[]],
  cause: string,
): Pick<Observation, 'message'> & Required<Pick<Observation, 'related'>> {
  const whole = consequences
    .map((consequence) => `${consequence.replace(/\.$/, '')}: ${cause}.`)
    .find((text) => text.length <= LONGEST_MESSAGE);
  if (whole !== undefined) return { message: whole, related: [] };
  const detail = `${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`;
  return { message: consequences[0], related: [{ span, message: detail }] };
}
