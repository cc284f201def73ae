/** One walk over a program, which passes each node to the selectors that may match it. */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoize } from '../../python/semantic/memoize.ts';
import { push } from '../../python/semantic/multimap.ts';
import type { Call, Magic } from '../../python/syntax/nodes.ts';
import type { Loader } from '../catalogue/loaderSchema.ts';
import { type Matches, NO_LOADERS, type Selector } from './selector.ts';

type AnySelector = Selector<unknown>;
type Part<K extends keyof AnySelector> = AnySelector & Required<Pick<AnySelector, K>>;

/** Selectors, keyed by the spelling that they look for, so that a node without a match costs one lookup. */
interface Table {
  readonly ofCalls: readonly Part<'calls'>[];
  /** Selectors that look for names. */
  readonly ofNamedCalls: Part<'calls'>[];
  readonly ofKeywords: readonly Part<'calls'>[];
  readonly byCalledName: ReadonlyMap<string, readonly Part<'calls'>[]>;
  readonly byString: ReadonlyMap<string, readonly Part<'strings'>[]>;
  readonly ofUses: readonly Part<'uses'>[];
  readonly ofDefinitions: readonly Part<'definitions'>[];
  readonly ofMagics: readonly Part<'magics'>[];
}

const tableOf = memoize((selectors: readonly AnySelector[]): Table => {
  const has =
    <K extends keyof AnySelector>(part: K) =>
    (selector: AnySelector): selector is Part<K> =>
      selector[part] !== undefined;
  const ofCalls = selectors.filter(has('calls'));
  const byCalledName = new Map<string, Part<'calls'>[]>();
  for (const selector of ofCalls) for (const name of selector.calls.names) push(byCalledName, name, selector);
  const byString = new Map<string, Part<'strings'>[]>();
  for (const selector of selectors.filter(has('strings')))
    for (const value of selector.strings.values) push(byString, value, selector);
  return {
    ofCalls,
    ofNamedCalls: ofCalls.filter(({ calls }) => calls.names.size > 0),
    ofKeywords: ofCalls.filter(({ calls }) => calls.hasKeyword),
    byCalledName,
    byString,
    ofUses: selectors.filter(has('uses')),
    ofDefinitions: selectors.filter(has('definitions')),
    ofMagics: selectors.filter(has('magics')),
  };
});

/** The matches of a selector, and the errors that each lost one. */
interface Found {
  readonly matches: unknown[];
  readonly errors: unknown[];
}

/**
 * Runs the selectors over a program once and caches the result. The cache is keyed by the list, which should be the same
 * for all programs.
 */
export function dispatch(
  program: Program,
  selectors: readonly AnySelector[],
  own: readonly Loader[] = NO_LOADERS,
): Matches {
  const before = dispatched.get(program);
  if (before?.selectors === selectors && before.own === own) return before.matches;
  const found = new Map<AnySelector, Found>();
  walk(program, selectors, own, found);
  const foundBy = (selector: AnySelector): Found | undefined => {
    if (!found.has(selector)) walk(program, [selector], own, found);
    return found.get(selector);
  };
  const matches: Matches = {
    // Matches are stored with their selector.
    of: <T>(selector: Selector<T>) => (foundBy(selector)?.matches ?? []) as T[],
    errorsOf: (selector) => foundBy(selector)?.errors ?? [],
  };
  dispatched.set(program, { selectors, own, matches });
  return matches;
}

interface Dispatched {
  readonly selectors: readonly AnySelector[];
  readonly own: readonly Loader[];
  readonly matches: Matches;
}

const dispatched = new WeakMap<Program, Dispatched>();

/** Returns the matches of a selector, for callers that are not rules; cached if a rule uses the same selector. */
export function matchesIn<T>(program: Program, selector: Selector<T>): readonly T[] {
  return (dispatched.get(program)?.matches ?? dispatch(program, [selector])).of(selector);
}

function walk(
  program: Program,
  selectors: readonly AnySelector[],
  own: readonly Loader[],
  found: Map<AnySelector, Found>,
): void {
  const table = tableOf(selectors);
  for (const selector of selectors) found.set(selector, { matches: [], errors: [] });
  const take = (selector: AnySelector, resolve: () => readonly unknown[]) => {
    const of = found.get(selector);
    try {
      of?.matches.push(...resolve());
    } catch (error) {
      of?.errors.push(error);
    }
  };
  const { index } = program;
  const namedHere = namesOf(program, table, own);
  for (const call of index.calls) {
    const name = calledName(call);
    const named = namedHere.get(name) ?? table.byCalledName.get(name) ?? NONE;
    for (const selector of named) take(selector, () => selector.calls.resolve(call, program, own));
    if (call.keywords.length === 0) continue;
    for (const selector of table.ofKeywords)
      if (hasKeyword(call, selector) && !named.includes(selector))
        take(selector, () => selector.calls.resolve(call, program, own));
  }
  if (table.byString.size > 0)
    for (const string of index.strings)
      for (const selector of table.byString.get(stringOf(string) ?? '') ?? [])
        take(selector, () => selector.strings.resolve(string, program));
  for (const selector of table.ofUses)
    for (const use of index.usesWhere(selector.uses.isWanted))
      take(selector, () => selector.uses.resolve(use, program));
  for (const selector of table.ofDefinitions)
    for (const definition of index.definitionsWhere(selector.definitions.isWanted))
      take(selector, () => selector.definitions.resolve(definition, program));
  if (table.ofMagics.length > 0)
    for (const magic of magicsIn(program))
      for (const selector of table.ofMagics) take(selector, () => selector.magics.resolve(magic, program));
}

function magicsIn({ source, cells }: Program): Magic[] {
  if (source.kind !== 'notebook') return [];
  return cells
    .flat()
    .flatMap((statement) => (statement.kind === 'Expr' && statement.value.kind === 'Magic' ? [statement.value] : []));
}

/** Returns the selectors for names that have additional meanings in this program. */
function namesOf(program: Program, table: Table, own: readonly Loader[]): Table['byCalledName'] {
  const found = new Map<string, Part<'calls'>[]>();
  for (const selector of table.ofCalls)
    for (const name of selector.calls.namesIn?.(program, own) ?? []) {
      const selectors = found.get(name) ?? [...(table.byCalledName.get(name) ?? NONE)];
      if (!selectors.includes(selector)) selectors.push(selector);
      found.set(name, selectors);
    }
  // Resolving an alias reveals what it stands for.
  for (const name of program.index.aliases) found.set(name, table.ofNamedCalls);
  return found;
}

function hasKeyword({ keywords }: Call, { calls }: Part<'calls'>): boolean {
  return keywords.some(({ arg }) => arg !== undefined && calls.hasKeyword?.(arg));
}

const NONE: readonly Part<'calls'>[] = [];
