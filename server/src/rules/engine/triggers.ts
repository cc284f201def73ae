/** Which files can a rule report on at all? Only those are parsed. */
import { rules } from '../index.ts';
import { codeOf } from './code.ts';
import type { Selector, Triggers } from './selector.ts';

/** What rules listen to is in a file that has one of its triggers. */
function triggersOf({ calls, strings, triggers }: Selector<unknown>): Triggers {
  return triggers ?? { words: [...(calls?.names ?? [])], fragments: [...(strings?.values ?? [])] };
}

const selectors = new Set(rules.flatMap(({ listener }) => listener.selectors));
const triggers = [...new Set([...selectors].map(triggersOf))];
const anyOf = (texts: readonly string[]) =>
  [...new Set(texts)].map((text) => text.replaceAll(/\W/g, String.raw`\$&`)).join('|');
const FRAGMENTS = new RegExp(anyOf(triggers.flatMap(({ fragments = [] }) => fragments)));
const WORDS = new RegExp(`\\b(?:${anyOf(triggers.flatMap(({ words = [] }) => words))})\\b`);

/**
 * False for a text whose code no rule can report on, whatever stands in its comments, docstrings and messages. `more` are
 * names of the project's own loaders.
 */
export function hasTrigger(text: string, more: readonly string[] = []): boolean {
  // What is said to GPU Doctor is answered.
  if (text.includes('gpu-doctor')) return true;
  const code = codeOf(text);
  if (FRAGMENTS.test(code) || WORDS.test(code) || more.some((word) => hasWord(code, word))) return true;
  return triggers.some(({ isIn }) => isIn?.(code));
}

/** What is part of a name, as far as that can be told from one UTF-16 unit. */
const WORD = /[\w\u0080-\uFFFF]/;

function hasWord(code: string, word: string): boolean {
  for (let at = code.indexOf(word); at >= 0; at = code.indexOf(word, at + 1)) {
    if (!WORD.test(code.charAt(at - 1)) && !WORD.test(code.charAt(at + word.length))) return true;
  }
  return false;
}
