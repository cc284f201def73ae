/** Which files can a rule report on at all? Only those are parsed. */
import { rules } from '../index.ts';
import { codeOf } from './code.ts';
import type { Selector, Triggers } from './selector.ts';

/** What rules listen to is in a file that has one of its triggers. */
function triggersOf({ calls, strings, triggers }: Selector<unknown>): Triggers {
  return (
    triggers ?? {
      words: [...(calls?.names ?? [])],
      patterns: [...(strings?.values ?? [])].map((text) => new RegExp(escaped(text))),
    }
  );
}

const selectors = new Set(rules.flatMap(({ listener }) => listener.selectors));
const triggers = [...new Set([...selectors].map(triggersOf))];
const words = new Set(triggers.flatMap(({ words = [] }) => words));
const PATTERNS = [
  new RegExp(`\\b(?:${[...words].map(escaped).join('|')})\\b`),
  ...triggers.flatMap(({ patterns = [] }) => patterns),
];

/**
 * False for a text whose code no rule can report on, whatever stands in its comments, docstrings and messages. `more` are
 * names of the project's own loaders.
 */
export function hasTrigger(text: string, more: readonly string[] = []): boolean {
  // What is said to GPU Doctor is answered.
  if (text.includes('gpu-doctor')) return true;
  const code = codeOf(text);
  if (PATTERNS.some((pattern) => pattern.test(code)) || more.some((word) => hasWord(code, word))) return true;
  return triggers.some(({ isIn }) => isIn?.(code));
}

function escaped(text: string): string {
  return text.replaceAll(/\W/g, String.raw`\$&`);
}

/** What is part of a name, as far as that can be told from one UTF-16 unit. */
const WORD = /[\w\u0080-\uFFFF]/;

function hasWord(code: string, word: string): boolean {
  for (let at = code.indexOf(word); at >= 0; at = code.indexOf(word, at + 1)) {
    if (!WORD.test(code.charAt(at - 1)) && !WORD.test(code.charAt(at + word.length))) return true;
  }
  return false;
}
