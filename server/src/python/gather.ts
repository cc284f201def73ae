/**
 * Lists of what all stretches of a program have, which are kept from one version of it to the next: after an edit only
 * the stretches that it made are asked, and where they have what those before them had the list stays the same object.
 */
import { bySourceOrder, type Node } from './syntax.ts';
import type { Visited } from './visited.ts';

/** What is asked of each stretch: the same object each time. */
export interface Question<T, C = void> {
  readonly find: (stretch: Visited, context: C) => readonly T[];
  /** Tells what two walks over one text made for one thing; without it, what is the same object or value. */
  readonly isSame?: (one: T, other: T) => boolean;
  /** Where something stands, for a list in source order; without it, the order is that of the walk. */
  readonly nodeOf?: (found: T) => Node;
}

interface Answer<T> {
  readonly era: object | undefined;
  readonly stretches: readonly Visited[];
  /** What each of them has. */
  readonly parts: readonly (readonly T[])[];
  readonly all: readonly T[];
}

/** The last answers to questions about a program. All its versions share them. */
export type Answers = Map<object, Answer<unknown>>;

/** The answer for all stretches together. In another `era` than that of the last answer each is asked again. */
export function gather<T, C>(
  answers: Answers,
  stretches: readonly Visited[],
  question: Question<T, C>,
  context: C,
  era?: object,
): readonly T[] {
  const last = answers.get(question) as Answer<T> | undefined;
  const before = last?.era === era ? last : undefined;
  if (before?.stretches === stretches) return before.all;
  const old = before?.stretches ?? [];
  const most = Math.min(old.length, stretches.length);
  let start = 0;
  while (start < most && old[start] === stretches[start]) start++;
  let tail = 0;
  while (tail < most - start && old[old.length - 1 - tail] === stretches[stretches.length - 1 - tail]) tail++;

  const fresh = stretches.slice(start, stretches.length - tail).map((stretch) => question.find(stretch, context));
  const gone = before?.parts.slice(start, old.length - tail) ?? [];
  const parts = before ? [...before.parts.slice(0, start), ...fresh, ...before.parts.slice(old.length - tail)] : fresh;
  const isSame = (one: readonly T[], other: readonly T[]) => isSameList(one, other, question.isSame ?? Object.is);
  const all = before && isSameList(gone, fresh, isSame) ? before.all : inOrder(parts, question.nodeOf);
  answers.set(question, { era, stretches, parts, all });
  return all;
}

/** Makes one question for each of a few keys. */
export function questionOf<K, T>(
  find: (stretch: Visited, key: K) => readonly T[],
  nodeOf?: (found: T) => Node,
): (key: K) => Question<T> {
  const made = new Map<K, Question<T>>();
  return (key) => {
    const question = made.get(key) ?? { find: (stretch) => find(stretch, key), ...(nodeOf && { nodeOf }) };
    made.set(key, question);
    return question;
  };
}

/** Remembers what is made of a list for as long as that stays the same object. */
export function madeOf<T extends object, R>(make: (list: T) => R): (list: T) => R {
  const made = new WeakMap<T, { readonly value: R }>();
  return (list) => {
    const known = made.get(list) ?? { value: make(list) };
    made.set(list, known);
    return known.value;
  };
}

function isSameList<T>(one: readonly T[], other: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
  return one.length === other.length && one.every((each, index) => isSame(each, other[index] as T));
}

function inOrder<T>(parts: readonly (readonly T[])[], nodeOf: Question<T>['nodeOf']): readonly T[] {
  const all = parts.flat();
  return nodeOf ? all.sort((one, other) => bySourceOrder(nodeOf(one), nodeOf(other))) : all;
}
