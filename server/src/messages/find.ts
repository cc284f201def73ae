import { knownMessages } from './catalogue.ts';
import { compilePattern } from './pattern.ts';
import { type RequiredWords, requiredWordsOf } from './requiredWords.ts';
import type { KnownMessage, Rank } from './schema.ts';
import { createWordSearch } from './wordSearch.ts';

/** A known message in a text. */
export interface FoundMessage {
  readonly message: KnownMessage;
  /** Offsets of the text that the pattern matches. */
  readonly start: number;
  readonly end: number;
  /** The captures of the pattern, by name. */
  readonly parts: Readonly<Record<string, string>>;
  /** Its rank here: a message that is only logged as a warning does not count as a failure. */
  readonly rank: Rank;
}

interface Search {
  /** The messages, by the word that a text must contain for them. */
  readonly byWord: readonly (readonly KnownMessage[])[];
  readonly words: ReturnType<typeof createWordSearch>;
  /** The position of each message in the catalogue. */
  readonly order: ReadonlyMap<KnownMessage, number>;
}

let search: Search | undefined;

/** The words that make a text worth matching; all are searched for in one pass. */
export function messageWords(): Search {
  if (search) return search;
  const byWord = new Map<string, KnownMessage[]>();
  const messages = knownMessages();
  for (const message of messages)
    for (const word of requiredWordsOf(message.id).flatMap(({ anchors }) => anchors))
      byWord.set(word, [...(byWord.get(word) ?? []), message]);
  search = {
    byWord: [...byWord.values()],
    words: createWordSearch([...byWord.keys()]),
    order: new Map(messages.map((message, index) => [message, index])),
  };
  return search;
}

const compiled = new Map<string, RegExp>();

/** Returns the regular expression of a pattern of the catalogue. */
export function expressionOf(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known) return known;
  const added = compilePattern(pattern);
  compiled.set(pattern, added);
  return added;
}

const RANKS: readonly Rank[] = ['error', 'broad', 'warning', 'consequence', 'generic', 'harmless'];

/**
 * The known messages in a text, the root cause first: failures come before what follows from them and before messages
 * that say little, and among several failures the first one leads. In one place, a message that is known by other
 * lines too precedes. Each message is listed once, at its first occurrence.
 */
export function findMessages(text: string): FoundMessage[] {
  const { byWord, words, order } = messageWords();
  const candidates = new Set([...words.wordsIn(text)].flatMap((number) => byWord[number] ?? []));
  const orderOf = (message: KnownMessage) => order.get(message) ?? 0;
  const vocabulary = vocabularyOf(text);
  return [...candidates]
    .flatMap((message) => firstOf(message, text, vocabulary) ?? [])
    .sort(
      (left, right) =>
        RANKS.indexOf(left.rank) - RANKS.indexOf(right.rank) ||
        left.start - right.start ||
        Number(left.message.beside === undefined) - Number(right.message.beside === undefined) ||
        orderOf(left.message) - orderOf(right.message),
    );
}

/** The words between white space in a text, in lower case and without duplicates: logs repeat the same words. */
function vocabularyOf(text: string): string {
  return [...new Set(text.toLowerCase().split(/\s+/))].join('\n');
}

/** Returns the first place of a message in a text; `vocabulary` is the text's vocabulary. */
function firstOf(message: KnownMessage, text: string, vocabulary: string): FoundMessage | undefined {
  const required = requiredWordsOf(message.id);
  const found = message.patterns
    .filter((_, index) => mayMatch(required[index], vocabulary))
    .map((pattern) => placeOf(pattern, message, text))
    .filter((place) => place !== undefined)
    .sort((left, right) => Number(left.isAside) - Number(right.isAside) || left.match.index - right.match.index);
  const [place] = found;
  if (!place || (message.beside !== undefined && !expressionOf(message.beside).test(text))) return undefined;
  const { match: first, isAside } = place;
  const parts = found.map(({ match }) => partsOf(match)).find((some) => some.length > 0) ?? [];
  return {
    message,
    start: first.index,
    end: first.index + first[0].length,
    parts: Object.fromEntries(parts),
    rank: isAside ? 'warning' : message.rank,
  };
}

/**
 * The captures of a pattern; "one2" counts as "one" in another alternative. A period at the end belongs to the
 * sentence.
 */
function partsOf({ groups = {} }: RegExpExecArray): (readonly [name: string, part: string])[] {
  return Object.entries(groups).flatMap(([name, part]) =>
    part === undefined || NAME_IN_BRACES.test(part)
      ? []
      : [
          [
            name.replace(/2$/, ''),
            part
              .replace(/\s+/g, ' ')
              .trim()
              .replace(/(?<=[^.])\.$/, ''),
          ] as const,
        ],
  );
}

/** True if a vocabulary has all words of an alternative: searching for them is much cheaper than matching. */
function mayMatch(required: RequiredWords | undefined, vocabulary: string): boolean {
  return required?.alternatives.some((words) => words.every((word) => vocabulary.includes(word))) ?? false;
}

interface Place {
  readonly match: RegExpExecArray;
  /** True if the message is worded as an error, but the program continues after it. */
  readonly isAside: boolean;
}

/** Returns the first place where a pattern matches as an error, else the first match; skips code that is only shown. */
function placeOf(pattern: string, message: KnownMessage, text: string): Place | undefined {
  const match = expressionOf(pattern).exec(text);
  if (!match) return undefined;
  const isAside = ({ index }: RegExpExecArray) => message.rank === 'error' && isAsideAt(index, message, text);
  const isCode = (each: RegExpExecArray) => isListedAt(each.index, text) || isTemplate(each);
  if (!isCode(match) && !isAside(match)) return { match, isAside: false };
  let aside: RegExpExecArray | undefined;
  let looked = 0;
  for (const each of text.matchAll(new RegExp(expressionOf(pattern), 'gim'))) {
    if (!isCode(each)) {
      if (!isAside(each)) return { match: each, isAside: false };
      aside ??= each;
    }
    looked++;
    if (looked > MOST_PLACES) break;
  }
  if (aside) return { match: aside, isAside: true };
  return isTemplate(match) && !isListedAt(match.index, text) ? { match, isAside: false } : undefined;
}

/** True for the line of code that raises the message, where names are in braces: "Invalid CUDA 'device={device}'". */
function isTemplate({ groups = {} }: RegExpExecArray): boolean {
  return Object.values(groups).some((part) => part !== undefined && NAME_IN_BRACES.test(part));
}

const NAME_IN_BRACES = /^(?:\{[a-z_][\w.]*\}|%[sdr])$/i;

/** Number of places with the same words that are examined after the first. */
const MOST_PLACES = 20;

/** True if a place is in a string in the code around a failing line, as IPython and rich show it with line numbers. */
function isListedAt(index: number, text: string): boolean {
  const start = text.lastIndexOf('\n', index - 1) + 1;
  const [, number] = LISTED.exec(text.slice(start, Math.min(index, start + LONGEST_LISTED))) ?? [];
  if (number === undefined) return false;
  const before = text.slice(text.lastIndexOf('\n', start - 2) + 1, start);
  return Number(/^[-> ❱]*(\d{1,6})(?![\d.:])/.exec(before)?.[1]) === Number(number) - 1;
}

/** A numbered line, except the one that the arrow points at, up to the inside of a string. */
const LISTED = /^ *(\d{1,6}) [^\n'"]*['"]/;

/** Characters within which the string on such a line begins. */
const LONGEST_LISTED = 300;

/** True if the level or the words of the line show that the program continues. */
function isAsideAt(index: number, { aside }: KnownMessage, text: string): boolean {
  const start = text.lastIndexOf('\n', index - 1) + 1;
  const end = text.indexOf('\n', index);
  const line = text.slice(start, end < 0 ? undefined : end);
  const level = LOGGED.exec(line.slice(0, LONGEST_LEVEL));
  if (level && start + level.index + level[0].length <= index) return true;
  return aside !== undefined && expressionOf(aside).test(line);
}

/** Characters within which a line contains its level. */
const LONGEST_LEVEL = 300;

/**
 * The levels below error in the logs of TensorFlow, absl and Python, and Python's warnings; an "I" before a word is the
 * author's own word. NCCL logs errors with the level of a warning, and what torch warns about while it initializes CUDA
 * is the reason for all later failures.
 */
const LOGGED =
  /(?:^|[\s:[])(?:[WI]\d{3,4}|[WI](?=[:\]]| (?:tensorflow\b|[\w/.-]+\.(?:cc|cpp|cu|h|py):))|(?<!NCCL )WARN(?:ING)?|INFO)(?=[\s:\]])|\b[A-Z]\w*Warning: (?!CUDA initialization)/;

/**
 * Inserts captures into the words of the catalogue. For a missing capture, uses the alternative words or the part's
 * name in capitals. `write` receives the text before a part, and returns undefined if the part must not be inserted
 * there.
 */
export function fillIn(
  words: string,
  parts: Readonly<Record<string, string>>,
  write: (part: string, before: string) => string | undefined = (part) => part,
): string {
  return words.replace(PLACEHOLDER, (_, name: string, otherwise: string | undefined, at: number) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    return (part === undefined ? undefined : write(part, words.slice(0, at))) ?? otherwise ?? name.toUpperCase();
  });
}

/** True if each placeholder has a value or other words. */
export function hasAllParts(words: string, parts: Readonly<Record<string, string>>): boolean {
  return [...words.matchAll(PLACEHOLDER)].every(
    ([, name = '', otherwise]) => otherwise !== undefined || Object.hasOwn(parts, name),
  );
}

const PLACEHOLDER = /(?<!\$)\{(\w+)(?:\|([^{}]*))?\}/g;
