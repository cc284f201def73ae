/** Decides which files rules can report anything for. Only those are parsed. */
import { codeOf } from './code.ts';
import { importedCalls } from './importedCalls.ts';
import { lastPart, type Selector, type Triggers } from './selector.ts';

/** Files without one of these triggers have no matches for the rules. */
function triggersOf({ calls, strings, triggers }: Selector<unknown>): Triggers {
  return (
    triggers ?? {
      words: [...(calls?.names ?? [])],
      patterns: [...(strings?.values ?? [])].map((text) => new RegExp(escaped(text))),
    }
  );
}

/**
 * Returns a function that is false for text whose code none of the selectors can match, regardless of comments,
 * docstrings and messages. `more` contains the names of the project's own loaders.
 */
export function triggerTest(
  selectors: Iterable<Selector<unknown>>,
): (text: string, more?: readonly string[]) => boolean {
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
  // If the text does not contain any of them, neither does the code.
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
    // Most texts are decided without removing comments.
    if (!mentioned.test(text) && !isIn(text)) return false;
    // Comments addressed to GPU Doctor need an answer, so files with such comments are always checked.
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

/** True if the code contains the word, which may have letters of any language. */
const hasWord = (code: string, word: string): boolean =>
  new RegExp(String.raw`(?<![\w\u0080-\uFFFF])${escaped(word)}(?![\w\u0080-\uFFFF])`).test(code);
