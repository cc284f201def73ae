/** What is established where an expression runs: by tests, handled failures, decorators, set-ups and callers. */

import { lastPartOf } from '../python/semantic/accessPaths.ts';
import { scopeMadeBy } from '../python/semantic/annotations.ts';
import { firstPositional, keywordOf } from '../python/semantic/arguments.ts';
import { isDisplay } from '../python/semantic/literals.ts';
import type { NameResolution } from '../python/semantic/nameResolution.ts';
import type { PathCondition, PathConditions } from '../python/semantic/pathConditions.ts';
import type { ProgramIndex } from '../python/semantic/programIndex.ts';
import type { Scope } from '../python/semantic/scopes.ts';
import type { Values } from '../python/semantic/values.ts';
import type { ClassDef, Expression, FunctionDef } from '../python/syntax/nodes.ts';
import type { Assumption } from './assumption.ts';
import { createConditions, type GuardNames } from './conditions.ts';
import { both, type Evidence, GUARD, IMPOSSIBLE, isImpossible, NONE, shownBy } from './evidence.ts';
import { handlesMissingGpu } from './handlers.ts';
import type { ExportedName } from './projectView.ts';
import { wordsOf } from './switches.ts';

export interface Established {
  /** By guards 1 to 7, when `assumed` is what a device name holds there. */
  at(conditions: PathConditions, assumed?: Assumption): Evidence;
  /** The same for code that is only handed on there and runs later, out of reach of the handlers around. */
  forLater(conditions: PathConditions): Evidence;
  /** What the truth or falsehood of an expression establishes. */
  ofTest(test: Expression, truth: boolean): Evidence;
  /** What the truth or falsehood of a function's result establishes. */
  ofReturns(declaration: FunctionDef, truth: boolean): Evidence;
  /** True under a decorator that skips without a GPU (guard 5). */
  isDecorated(conditions: PathConditions): boolean;
}

const DECORATOR_VERBS = new Set([
  'require',
  'requires',
  'required',
  'only',
  'with',
  'skip',
  'needs',
  'need',
  'needed',
  'if',
  'unless',
  'slow',
  'nightly',
]);
const DECORATOR_NOUNS = new Set(['cuda', 'gpu', 'gpus', 'accelerator', 'nvidia']);

/** `pytestmark = pytest.mark.skipif(...)` decorates every test of its module or class. */
const MARKS = 'pytestmark';

/** Methods that have run before any other method of their class. */
const SET_UP: ReadonlySet<string> = new Set(['__init__', 'setUp', 'setUpClass', 'setup_method', 'setup_class']);

/**
 * `ofCallers` says what holds at every call of a function. Distributed code is no guard: it makes hints of its own
 * sites, not of the functions that it calls.
 */
export function createEstablished(
  index: ProgramIndex,
  names: NameResolution,
  values: Values,
  guardNames: GuardNames,
  ofCallers: (declaration: FunctionDef) => Evidence,
  exported: (dotted: string) => ExportedName | undefined,
): Established {
  const evaluated = new Map<PathCondition, Evidence>();
  let isModuleMarked: boolean | undefined;

  const at = (conditions: PathConditions, assumed?: Assumption): Evidence => {
    let sum = NONE;
    let isTopLevel = true;
    for (let each = conditions; each; each = each.outer) {
      sum = both(sum, assumed && each.kind === 'test' ? judge(each, assumed) : evidenceOf(each));
      if (isImpossible(sum)) break;
      if (each.kind === 'body' && each.owner.kind === 'FunctionDef') isTopLevel = false;
    }
    if (isTopLevel) return sum;
    isModuleMarked ??= isMarked(index.module);
    return isModuleMarked ? both(sum, GUARD) : sum;
  };

  const evidenceOf = (condition: PathCondition): Evidence => {
    const known = evaluated.get(condition);
    if (known) return known;
    const found = judge(condition);
    evaluated.set(condition, found);
    return found;
  };

  const forLater = (conditions: PathConditions): Evidence => {
    let sum = NONE;
    for (let each = conditions; each; each = each.outer) if (each.kind !== 'try') sum = both(sum, evidenceOf(each));
    return sum;
  };

  const { ofTest, ofReturns } = createConditions(names, values, guardNames, (conditions) => at(conditions), exported);

  const judge = (condition: PathCondition, assumed?: Assumption): Evidence => {
    switch (condition.kind) {
      case 'unreachable':
        return IMPOSSIBLE;
      case 'test':
        return ofCondition(condition.test, condition.truth, assumed);
      case 'try':
        return handlesMissingGpu(condition.statement, names)
          ? shownBy(GUARD, condition.statement, 'a missing GPU is handled')
          : NONE;
      case 'body': {
        const { owner } = condition;
        if (owner.kind === 'Lambda') return NONE;
        const scope = scopeMadeBy(owner);
        const isDecorated = isSkippedWithoutGpu(owner) || (scope?.kind === 'class' && isMarked(scope));
        const decorated = isDecorated ? shownBy(GUARD, owner, 'a decorator skips it without a GPU') : NONE;
        if (owner.kind === 'ClassDef') return decorated;
        return [decorated, ofRequest(owner), ofSetUp(owner), ofCallers(owner)].reduce(both);
      }
    }
  };

  /** Whoever calls a method `cuda` asks for a GPU there, as in an override of a module's own. */
  const ofRequest = (declaration: FunctionDef): Evidence =>
    declaration.name === 'cuda' && names.scopeOf(declaration).kind === 'class'
      ? shownBy(GUARD, { start: declaration.start, end: declaration.start }, 'its caller asks for a GPU')
      : NONE;

  const ofCondition = (test: Expression, truth: boolean, assumed?: Assumption): Evidence => {
    const found = ofTest(test, truth, assumed);
    return shownBy(found, test, isImpossible(found) ? 'this test never comes out so' : 'this test checks for a GPU');
  };

  // Guard 5: decorators

  const isSkippedWithoutGpu = (declaration: FunctionDef | ClassDef): boolean =>
    declaration.decorator_list.some(isGuardDecorator);

  const isGuardDecorator = (decorator: Expression): boolean => {
    const named = decorator.kind === 'Call' ? decorator.func : decorator;
    if (named.kind !== 'Name' && named.kind !== 'Attribute') return false;
    const last = lastPartOf(named) ?? '';
    if (guardNames.decorators.has(last) || names.qualify(named).some((name) => guardNames.decorators.has(name)))
      return true;
    const condition =
      decorator.kind === 'Call' ? (firstPositional(decorator) ?? keywordOf(decorator, 'condition')) : undefined;
    if (/^skip_?if$/i.test(last)) return condition !== undefined && ofTest(condition, false).level === 'guard';
    if (/^skip_?unless$/i.test(last)) return condition !== undefined && ofTest(condition, true).level === 'guard';
    // `cuda_only = pytest.mark.skipif(...)`
    if (
      decorator.kind !== 'Call' &&
      names
        .definitionsOf(named)
        .some(({ kind, value }) => kind === 'value' && value?.kind === 'Call' && isGuardDecorator(value))
    ) {
      return true;
    }
    if (names.qualify(named).some((name) => name.startsWith('torch.cuda.') || name.startsWith('torch.amp.')))
      return false;
    const words = wordsOf(last);
    return (
      words.some((word) => DECORATOR_VERBS.has(word)) &&
      words.some((word) => DECORATOR_NOUNS.has(word)) &&
      !words.includes('no') &&
      !words.includes('cpu')
    );
  };

  const isMarked = (scope: Scope): boolean =>
    (scope.definitions.get(MARKS) ?? []).some(({ value }) => {
      const marks = isDisplay(value) ? value.elts : value ? [value] : [];
      return marks.some(isGuardDecorator);
    });

  const isDecorated = (conditions: PathConditions): boolean => {
    let isInside = false;
    for (let at = conditions; at; at = at.outer) {
      if (at.kind !== 'body' || at.owner.kind === 'Lambda') continue;
      isInside = true;
      const scope = scopeMadeBy(at.owner);
      if (isSkippedWithoutGpu(at.owner) || (scope?.kind === 'class' && isMarked(scope))) return true;
    }
    return isInside && isMarked(index.module);
  };

  /** What the constructor, or the set-up of a test, made sure of before any other method can run. */
  const ofSetUp = (declaration: FunctionDef): Evidence => {
    const home = names.scopeOf(declaration);
    if (home.kind !== 'class' || SET_UP.has(declaration.name)) return NONE;
    let sum = NONE;
    for (const name of SET_UP) {
      for (const { node } of home.definitions.get(name) ?? []) {
        const scope = node?.kind === 'FunctionDef' ? scopeMadeBy(node) : undefined;
        for (let at = scope?.conditionsAtEnd; at && at.kind !== 'body'; at = at.outer) sum = both(sum, evidenceOf(at));
      }
    }
    return sum;
  };

  return { at, forLater, ofTest, ofReturns, isDecorated };
}
