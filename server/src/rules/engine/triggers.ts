/** Which files can a rule report on at all? Only those are parsed. */
import { rules } from '../index.ts';
import { codeBytes } from './codeBytes.ts';
import type { Selector, Triggers } from './selector.ts';

/** What rules listen to is in a file that has one of its triggers. */
function triggersOf({ calls, strings, triggers }: Selector<unknown>): Triggers {
  return triggers ?? { words: [...(calls?.names ?? [])], fragments: [...(strings?.values ?? [])] };
}

const triggers = [...new Set(rules.flatMap(({ listener }) => listener.selectors))].map(triggersOf);
const FRAGMENTS = [...new Set(triggers.flatMap(({ fragments = [] }) => fragments))];
const WORDS = [...new Set(triggers.flatMap(({ words = [] }) => words))];

/**
 * False for a file whose code no rule can report on, whatever stands in its comments and docstrings. `more` are names of
 * the project's own loaders. Only for encodings that contain ASCII.
 */
export function hasTrigger(bytes: Buffer, more: readonly string[] = []): boolean {
  // What is said to GPU Doctor is answered.
  if (bytes.includes('gpu-doctor')) return true;
  const code = codeBytes(bytes);
  if (FRAGMENTS.some((fragment) => code.includes(fragment))) return true;
  if (WORDS.some((word) => hasWord(code, word)) || more.some((word) => hasWord(code, word))) return true;
  const text = code.toString('latin1');
  return triggers.some(({ isIn }) => isIn?.(text));
}

function hasWord(code: Buffer, word: string): boolean {
  for (let at = code.indexOf(word); at >= 0; at = code.indexOf(word, at + 1)) {
    if (!isWordByte(code[at - 1]) && !isWordByte(code[at + word.length])) return true;
  }
  return false;
}

/** Letters, digits, the underscore, and what is part of a character beyond ASCII. */
function isWordByte(byte = 32): boolean {
  return (
    (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || (byte >= 48 && byte <= 57) || byte === 95 || byte > 127
  );
}
