/** Which files can a rule report on at all? Only those are parsed. */
import { codeOf } from './code.ts';
import { importedCalls } from './importedCalls.ts';
import type { Rule } from './rule.ts';
import { lastPart, type Selector, type Triggers } from './selector.ts';

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
  const calls = triggers.flatMap(({ calls = [], keywords }) =>
    calls.map((name) => ({ name, last: lastPart(name), keywords: keywords?.get(name) })),
  );
  const words = new Set(triggers.flatMap(({ words = [] }) => words));
  const patterns = triggers.flatMap(({ patterns = [] }) => patterns.map(({ source }) => source));
  const spelled = new RegExp([wordIn(words), ...patterns].join('|'));
  const called = wordIn(new Set(calls.map(({ last }) => last)));
  const calledOrKeyword = new RegExp(
    wordIn(new Set(calls.flatMap(({ last, keywords = [] }) => [last, ...keywords]))),
    'g',
  );
  // Where it is not in the text, none of them is in the code.
  const mentioned = new RegExp([called, spelled.source, 'gpu-doctor'].join('|'));
  const mayCall = (code: string) => {
    const found = new Set<string>(code.match(calledOrKeyword));
    const isSpelled = ({ last, keywords }: (typeof calls)[number]) =>
      found.has(last) && (!keywords || [...keywords].some((keyword) => found.has(keyword)));
    const names = calls.filter(isSpelled).map(({ name }) => name);
    return names.length > 0 && importedCalls(names)(code);
  };
  return (text, more = []) => {
    const isIn = (code: string) =>
      more.some((word) => hasWord(code, word)) || triggers.some(({ isIn }) => isIn?.(code) === true);
    // Most texts are settled as they are.
    if (!mentioned.test(text) && !isIn(text)) return false;
    // What is said to GPU Doctor is answered.
    if (text.includes('gpu-doctor')) return true;
    const code = codeOf(text);
    return spelled.test(code) || isIn(code) || mayCall(code);
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
