/** Under which guard does a piece of the program run? Joins tests, decorators, handled failures, callers and distributed code. */
import type { Assumption } from './assumption.ts';
import { createConditions, type GuardNames } from './conditions.ts';
import { createDistributed } from './distributed.ts';
import { both, type Evidence, either, GUARD, IMPOSSIBLE, isImpossible, NONE, WEAK } from './evidence.ts';
import type { Fact, Facts } from './facts.ts';
import type { Flow } from './flow.ts';
import { handlesMissingGpu } from './handlers.ts';
import type { Names } from './names.ts';
import { lastPartOf } from './paths.ts';
import type { Scope } from './scopes.ts';
import { wordsOf } from './switches.ts';
import type { Attribute, ClassDef, Expression, FunctionDef, Name } from './syntax.ts';
import type { Values } from './values.ts';

export interface Guards {
  /** What is established where an expression runs, when `assumed` is what a device name holds there. */
  evidenceAt(facts: Facts, assumed?: Assumption): Evidence;
  /** True in the functions that set up, or are, a process of a distributed run. */
  isDistributed(facts: Facts): boolean;
  /** True under a decorator that skips without a GPU (guard 5). */
  isDecorated(facts: Facts): boolean;
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

export function createGuards(flow: Flow, names: Names, values: Values, guardNames: GuardNames): Guards {
  const evaluated = new Map<Fact, Evidence>();
  const active = new Set<FunctionDef>();
  const distributed = createDistributed(flow, names);

  let isModuleMarked: boolean | undefined;

  const evidenceAt = (facts: Facts, assumed?: Assumption): Evidence =>
    both(established(facts, assumed), isDistributed(facts) ? WEAK : NONE);

  /** Guards 1 to 7. Distributed code is no guard: it makes hints of its own sites, not of the functions that it calls. */
  const established = (facts: Facts, assumed?: Assumption): Evidence => {
    let sum = NONE;
    let isTopLevel = true;
    for (let fact = facts; fact; fact = fact.outer) {
      sum = both(sum, assumed && fact.kind === 'test' ? conditions(fact.test, fact.truth, assumed) : evidenceOf(fact));
      if (isImpossible(sum)) break;
      if (fact.kind === 'body' && fact.of.kind === 'FunctionDef') isTopLevel = false;
    }
    if (isTopLevel) return sum;
    isModuleMarked ??= isMarked(flow.module);
    return isModuleMarked ? both(sum, GUARD) : sum;
  };

  const isDistributed = (facts: Facts): boolean => {
    let isTopLevel = true;
    for (let fact = facts; fact; fact = fact.outer) {
      if (fact.kind !== 'body' || fact.of.kind !== 'FunctionDef') continue;
      if (distributed.isDistributed(fact.of)) return true;
      isTopLevel = false;
    }
    return isTopLevel && distributed.isTopLevelDistributed;
  };

  const evidenceOf = (fact: Fact): Evidence => {
    const known = evaluated.get(fact);
    if (known) return known;
    const found = judge(fact);
    if (active.size === 0) evaluated.set(fact, found);
    return found;
  };

  const conditions = createConditions(names, values, guardNames, evidenceAt);

  const judge = (fact: Fact): Evidence => {
    switch (fact.kind) {
      case 'unreachable':
        return IMPOSSIBLE;
      case 'test':
        return conditions(fact.test, fact.truth);
      case 'tried':
        return handlesMissingGpu(fact.by, names) ? GUARD : NONE;
      case 'body': {
        if (fact.of.kind === 'Lambda') return NONE;
        const scope = flow.scopes.get(fact.of);
        const decorated = isSkippedWithoutGpu(fact.of) || (scope?.kind === 'class' && isMarked(scope)) ? GUARD : NONE;
        if (fact.of.kind === 'ClassDef') return decorated;
        return both(decorated, ofCallers(fact.of));
      }
    }
  };

  // Guard 5: decorators

  const isSkippedWithoutGpu = (declaration: FunctionDef | ClassDef): boolean =>
    declaration.decorators.some(isGuardDecorator);

  const isGuardDecorator = (decorator: Expression): boolean => {
    const named = decorator.kind === 'Call' ? decorator.func : decorator;
    if (named.kind !== 'Name' && named.kind !== 'Attribute') return false;
    const last = lastPartOf(named) ?? '';
    if (guardNames.decorators.has(last) || names.qualify(named).some((name) => guardNames.decorators.has(name)))
      return true;
    const condition =
      decorator.kind === 'Call'
        ? (decorator.args.find((arg) => arg.name === undefined || arg.name === 'condition')?.value ?? undefined)
        : undefined;
    if (/^skip_?if$/i.test(last)) return condition !== undefined && conditions(condition, false).level === 'guard';
    if (/^skip_?unless$/i.test(last)) return condition !== undefined && conditions(condition, true).level === 'guard';
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

  /** `pytestmark = pytest.mark.skipif(...)` decorates every test of its module or class. */
  const isMarked = (scope: Scope): boolean =>
    (scope.definitions.get('pytestmark') ?? []).some(({ value }) => {
      const marks = value?.kind === 'Sequence' ? value.items : value ? [value] : [];
      return marks.some(isGuardDecorator);
    });

  const isDecorated = (facts: Facts): boolean => {
    let isInside = false;
    for (let fact = facts; fact; fact = fact.outer) {
      if (fact.kind !== 'body' || fact.of.kind === 'Lambda') continue;
      isInside = true;
      const scope = flow.scopes.get(fact.of);
      if (isSkippedWithoutGpu(fact.of) || (scope?.kind === 'class' && isMarked(scope))) return true;
    }
    return isInside && isMarked(flow.module);
  };

  // Guard 7: callers

  /** What holds at every call of the function; nothing when it is not called here, or is handed on as a value. */
  const ofCallers = (declaration: FunctionDef): Evidence => {
    if (active.has(declaration)) return IMPOSSIBLE;
    active.add(declaration);
    let sum: Evidence | undefined;
    for (const use of usesOf(declaration)) {
      const call = use.parent?.kind === 'Call' && use.parent.func === use ? use.parent : undefined;
      const one = call ? established(call.facts) : NONE;
      sum = sum ? either(sum, one) : one;
      if (sum === NONE) break;
    }
    active.delete(declaration);
    // A function that only calls itself is not called.
    return sum === undefined || isImpossible(sum) ? NONE : sum;
  };

  const usesOf = (declaration: FunctionDef): (Name | Attribute)[] => {
    const home = names.scopeOf(declaration);
    if (home.kind !== 'class') {
      return flow
        .usesOf(declaration.name)
        .filter((use) => use.kind === 'Name' && names.declarationOf(use) === declaration);
    }
    const owner = home.node as ClassDef;
    if (declaration.name === '__init__') {
      return flow
        .usesOf(owner.name)
        .filter((use) => use.kind === 'Name' && names.declarationOf(use) === owner && use.parent?.kind === 'Call');
    }
    return flow.usesOf(declaration.name).filter((use) => use.kind === 'Attribute' && mayBeMethodOf(use, owner));
  };

  const mayBeMethodOf = (use: Attribute, owner: ClassDef): boolean => {
    if (use.value.kind === 'Name' && use.value.id === 'self') {
      for (let scope = names.scopeOf(use) as ReturnType<Names['scopeOf']> | undefined; scope; scope = scope.parent) {
        if (scope.node?.kind === 'ClassDef') return scope.node === owner;
      }
    }
    return names.qualify(use.value).length === 0;
  };

  return { evidenceAt, isDistributed, isDecorated };
}
