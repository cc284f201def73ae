/** One walk over a program, which hands each node to the selectors that may mean it. */

import type { Program } from '../../guards/program.ts';
import { calledName } from '../../python/semantic/accessPaths.ts';
import { stringOf } from '../../python/semantic/literals.ts';
import { memoise } from '../../python/semantic/memoise.ts';
import { push } from '../../python/semantic/multimap.ts';
import type { Call, Magic } from '../../python/syntax/nodes.ts';
import type { Loader } from '../catalogue/catalogue.ts';
import { type Matches, NO_LOADERS, type Selector } from './selector.ts';

type AnySelector = Selector<unknown>;
type Part<K extends keyof AnySelector> = AnySelector & Required<Pick<AnySelector, K>>;

/** Selectors by what they look for, so that a node that none of them means costs one look. */
interface Table {
  readonly ofCalls: readonly Part<'calls'>[];
  readonly ofKeywords: readonly Part<'calls'>[];
  readonly byCalledName: ReadonlyMap<string, readonly Part<'calls'>[]>;
  readonly byString: ReadonlyMap<string, readonly Part<'strings'>[]>;
  readonly ofUses: readonly Part<'uses'>[];
  readonly ofDefinitions: readonly Part<'definitions'>[];
  readonly ofMagics: readonly Part<'magics'>[];
}

const tableOf = memoise((selectors: readonly AnySelector[]): Table => {
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
    ofKeywords: ofCalls.filter(({ calls }) => calls.hasKeyword),
    byCalledName,
    byString,
    ofUses: selectors.filter(has('uses')),
    ofDefinitions: selectors.filter(has('definitions')),
    ofMagics: selectors.filter(has('magics')),
  };
});

/**
 * What selectors find in a program. A selector that throws is left out; whoever asks for what it found is told the error.
 * `selectors` are told apart by their list, which is to be the same one for all programs.
 */
export function dispatch(
  program: Program,
  selectors: readonly AnySelector[],
  own: readonly Loader[] = NO_LOADERS,
): Matches {
  const table = tableOf(selectors);
  const found = new Map<AnySelector, unknown[]>(selectors.map((selector) => [selector, []]));
  const failed = new Map<AnySelector, unknown>();
  const take = (selector: AnySelector, resolve: () => readonly unknown[]) => {
    if (failed.has(selector)) return;
    try {
      found.get(selector)?.push(...resolve());
    } catch (error) {
      failed.set(selector, error);
    }
  };
  const { index } = program;
  const namedHere = namesOf(program, table, own);
  for (const call of index.calls)
    for (const selector of selectorsOf(call, table, namedHere, index.isAlias))
      take(selector, () => selector.calls.resolve(call, program, own));
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
  const matches: Matches = {
    of<T>(selector: Selector<T>) {
      if (failed.has(selector)) throw failed.get(selector);
      // What is found is kept with the selector that found it.
      return (found.get(selector) ?? dispatch(program, [selector], own).of(selector)) as readonly T[];
    },
  };
  dispatched.set(program, matches);
  return matches;
}

const dispatched = new WeakMap<Program, Matches>();

/** What a selector finds in a program, for those who are no rules; it is not looked for again where a rule listens to it. */
export function matchesIn<T>(program: Program, selector: Selector<T>): readonly T[] {
  return (dispatched.get(program) ?? dispatch(program, [selector])).of(selector);
}

function magicsIn({ source, cells }: Program): Magic[] {
  if (source.kind !== 'notebook') return [];
  return cells
    .flat()
    .flatMap((statement) => (statement.kind === 'Expr' && statement.value.kind === 'Magic' ? [statement.value] : []));
}

/** The selectors by the names that mean something in this program alone. */
function namesOf(program: Program, table: Table, own: readonly Loader[]): Table['byCalledName'] {
  const found = new Map<string, Part<'calls'>[]>();
  for (const selector of table.ofCalls)
    for (const name of selector.calls.namesIn?.(program, own) ?? []) push(found, name, selector);
  return found;
}

/** The selectors that a call may be one of, each once. */
function selectorsOf(
  call: Call,
  table: Table,
  namedHere: Table['byCalledName'],
  isAlias: (name: string) => boolean,
): Iterable<Part<'calls'>> {
  const name = calledName(call);
  // What is behind an alias is found out by resolving it.
  if (isAlias(name)) return table.ofCalls;
  const known = table.byCalledName.get(name) ?? NONE;
  const here = namedHere.get(name) ?? NONE;
  const byKeyword = call.keywords.length === 0 ? NONE : table.ofKeywords.filter((each) => hasKeyword(call, each));
  if (here.length === 0 && byKeyword.length === 0) return known;
  return new Set([...known, ...here, ...byKeyword]);
}

function hasKeyword({ keywords }: Call, { calls }: Part<'calls'>): boolean {
  return keywords.some(({ arg }) => arg !== undefined && calls.hasKeyword?.(arg));
}

const NONE: readonly Part<'calls'>[] = [];
