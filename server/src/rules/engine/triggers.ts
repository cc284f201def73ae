/** Which files can a rule report on at all? Only those are parsed. */
import { codeOf } from './code.ts';
import { importedCalls } from './importedCalls.ts';
import type { Rule } from './rule.ts';
import { lastParts, type Selector, type Triggers } from './selector.ts';

/** What rules listen to is in a file that has one of its triggers. */
function triggersOf({ calls, strings, triggers }: Selector<unknown>): Triggers {
  return (
    triggers ?? {
      words: [...(calls?.names ?? [])],
      patterns: [...(strings?.values ?? [])].map((text) => new RegExp(escaped(text))),
    }
  );
}

/**
 * Returns a test that is false for a text whose code none of the rules can report on, whatever stands in its comments,
 * docstrings and messages. `more` are names of the project's own loaders.
 */
export function triggerTest(rules: readonly Rule[]): (text: string, more?: readonly string[]) => boolean {
  const selectors = new Set(rules.flatMap(({ listener }) => listener.selectors));
  const triggers = [...new Set([...selectors].map(triggersOf))];
  const calls = [...new Set(triggers.flatMap(({ calls = [] }) => calls))];
  const words = new Set(triggers.flatMap(({ words = [] }) => words));
  const patterns = triggers.flatMap(({ patterns = [] }) => patterns.map(({ source }) => source));
  const spelled = new RegExp([wordIn(words), ...patterns].join('|'));
  const called = new RegExp(wordIn(lastParts(calls)));
  // Where it is not in the text, none of them is in the code.
  const mentioned = new RegExp([called.source, spelled.source, 'gpu-doctor'].join('|'));
  const mayCall = importedCalls(calls);
  return (text, more = []) => {
    const isIn = (code: string) =>
      more.some((word) => hasWord(code, word)) || triggers.some(({ isIn }) => isIn?.(code) === true);
    // Most texts are settled as they are.
    if (!mentioned.test(text) && !isIn(text)) return false;
    // What is said to GPU Doctor is answered.
    if (text.includes('gpu-doctor')) return true;
    const code = codeOf(text);
    return spelled.test(code) || isIn(code) || (called.test(code) && mayCall(code));
  };
}

function wordIn(words: Iterable<string>): string {
  return String.raw`\b(?:${[...words].map(escaped).join('|')})\b`;
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
