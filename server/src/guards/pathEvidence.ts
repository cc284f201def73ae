/** Evidence at an expression from tests, handled failures, decorators, setup methods and callers. */

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
import { both, type Evidence, GUARD, IMPOSSIBLE, isImpossible, NO_EVIDENCE, withReason } from './evidence.ts';
import { handlesMissingGpu } from './handlers.ts';
import type { ExportedName } from './projectView.ts';
import { wordsOf } from './switches.ts';
import { createTestEvidence, type GuardNames } from './testEvidence.ts';

interface PathEvidence {
  /** Returns the evidence of guards 1 to 7, optionally under the assumption that a device name holds `assumed`. */
  at(conditions: PathConditions, assumed?: Assumption): Evidence;
  /** Like `at`, for a function that is only passed as a value here and runs later, outside the enclosing handlers. */
  atReference(conditions: PathConditions): Evidence;
  /** Returns the evidence that a true or false expression establishes. */
  ofTest(test: Expression, truth: boolean): Evidence;
  /** Returns the evidence that a true or false result of a function establishes. */
  ofReturns(declaration: FunctionDef, truth: boolean): Evidence;
  /** True under a decorator that skips the code without a GPU (guard 5). */
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
const PYTESTMARK = 'pytestmark';

/** Methods that run before all other methods of their class. */
const SET_UP_METHODS: ReadonlySet<string> = new Set(['__init__', 'setUp', 'setUpClass', 'setup_method', 'setup_class']);

/**
 * `ofCallers` returns the evidence that all calls of a function share. Distributed code is not a guard: it turns its
 * own sites into hints, but not the sites in functions that it calls.
 */
export function createPathEvidence(
  index: ProgramIndex,
  names: NameResolution,
  values: Values,
  guardNames: GuardNames,
  callerEvidence: (declaration: FunctionDef) => Evidence,
  exported: (dotted: string) => ExportedName | undefined,
): PathEvidence {
  const evaluated = new Map<PathCondition, Evidence>();
  let isModuleMarked: boolean | undefined;

  const at = (conditions: PathConditions, assumed?: Assumption): Evidence => {
    let sum = NO_EVIDENCE;
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

  const atReference = (conditions: PathConditions): Evidence => {
    let sum = NO_EVIDENCE;
    for (let each = conditions; each; each = each.outer) if (each.kind !== 'try') sum = both(sum, evidenceOf(each));
    return sum;
  };

  const { ofTest, ofReturns } = createTestEvidence(names, values, guardNames, (conditions) => at(conditions), exported);

  const judge = (condition: PathCondition, assumed?: Assumption): Evidence => {
    switch (condition.kind) {
      case 'unreachable':
        return IMPOSSIBLE;
      case 'test':
        return testEvidence(condition.test, condition.truth, assumed);
      case 'try':
        return handlesMissingGpu(condition.statement, names)
          ? withReason(GUARD, condition.statement, 'a missing GPU is handled')
          : NO_EVIDENCE;
      case 'body': {
        const { owner } = condition;
        if (owner.kind === 'Lambda') return NO_EVIDENCE;
        const scope = scopeMadeBy(owner);
        const isDecorated = isSkippedWithoutGpu(owner) || (scope?.kind === 'class' && isMarked(scope));
        const decorated = isDecorated
          ? withReason(GUARD, owner, 'a decorator skips it if there is no GPU')
          : NO_EVIDENCE;
        if (owner.kind === 'ClassDef') return decorated;
        return [decorated, requestEvidence(owner), setUpEvidence(owner), callerEvidence(owner)].reduce(both);
      }
    }
  };

  /** A caller of a method named `cuda`, such as an override of `Module.cuda`, requests a GPU. */
  const requestEvidence = (declaration: FunctionDef): Evidence =>
    declaration.name === 'cuda' && names.scopeOf(declaration).kind === 'class'
      ? withReason(GUARD, { start: declaration.start, end: declaration.start }, 'its caller requests a GPU')
      : NO_EVIDENCE;

  const testEvidence = (test: Expression, truth: boolean, assumed?: Assumption): Evidence => {
    const found = ofTest(test, truth, assumed);
    return withReason(
      found,
      test,
      isImpossible(found) ? 'this test never has this result' : 'this test checks for a GPU',
    );
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
    (scope.definitions.get(PYTESTMARK) ?? []).some(({ value }) => {
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

  /** The evidence that the constructor or a test's setup method establishes before any other method runs. */
  const setUpEvidence = (declaration: FunctionDef): Evidence => {
    const home = names.scopeOf(declaration);
    if (home.kind !== 'class' || SET_UP_METHODS.has(declaration.name)) return NO_EVIDENCE;
    let sum = NO_EVIDENCE;
    for (const name of SET_UP_METHODS) {
      for (const { node } of home.definitions.get(name) ?? []) {
        const scope = node?.kind === 'FunctionDef' ? scopeMadeBy(node) : undefined;
        for (let at = scope?.conditionsAtEnd; at && at.kind !== 'body'; at = at.outer) sum = both(sum, evidenceOf(at));
      }
    }
    return sum;
  };

  return { at, atReference, ofTest, ofReturns, isDecorated };
}
