/** Under which guard does a piece of the program run? Joins tests, decorators, handled failures, callers and distributed code. */
import type { Assumption } from './assumption.ts';
import { createCallers } from './callers.ts';
import type { Conclusions } from './conclusions.ts';
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
import type { ClassDef, Expression, FunctionDef } from './syntax.ts';
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

/** `pytestmark = pytest.mark.skipif(...)` decorates every test of its module or class. */
export const MARKS = 'pytestmark';

/** Methods that have run before any other method of their class. */
export const SET_UP: ReadonlySet<string> = new Set(['__init__', 'setUp', 'setUpClass', 'setup_method', 'setup_class']);

function functionsAround(facts: Facts): FunctionDef[] {
  const found: FunctionDef[] = [];
  for (let fact = facts; fact; fact = fact.outer) {
    if (fact.kind === 'body' && fact.of.kind === 'FunctionDef') found.push(fact.of);
  }
  return found;
}

export function createGuards(
  flow: Flow,
  names: Names,
  values: Values,
  guardNames: GuardNames,
  conclusions: Conclusions,
): Guards {
  const { evidence: evaluated, callers: called } = conclusions;
  let isComputing = false;
  const distributed = createDistributed(flow, names);
  const callers = createCallers(flow, names);

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
    if (!isComputing) evaluated.set(fact, found);
    return found;
  };

  const conditions = createConditions(names, values, guardNames, conclusions, (facts) => established(facts));

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
        const scope = fact.of.inner;
        const decorated = isSkippedWithoutGpu(fact.of) || (scope?.kind === 'class' && isMarked(scope)) ? GUARD : NONE;
        if (fact.of.kind === 'ClassDef') return decorated;
        return both(both(decorated, ofSetUp(fact.of)), ofCallers(fact.of));
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

  const isMarked = (scope: Scope): boolean =>
    (scope.definitions.get(MARKS) ?? []).some(({ value }) => {
      const marks = value?.kind === 'Sequence' ? value.items : value ? [value] : [];
      return marks.some(isGuardDecorator);
    });

  const isDecorated = (facts: Facts): boolean => {
    let isInside = false;
    for (let fact = facts; fact; fact = fact.outer) {
      if (fact.kind !== 'body' || fact.of.kind === 'Lambda') continue;
      isInside = true;
      const scope = fact.of.inner;
      if (isSkippedWithoutGpu(fact.of) || (scope?.kind === 'class' && isMarked(scope))) return true;
    }
    return isInside && isMarked(flow.module);
  };

  // Guard 7: callers

  /** What holds at every call of the function; nothing when it is not called here, or is handed on as a value. */
  const ofCallers = (declaration: FunctionDef): Evidence => {
    if (isComputing) return NONE;
    if (!called.of) {
      isComputing = true;
      called.of = judgeCallers();
      isComputing = false;
      // What tests said meanwhile was said without the callers.
      conclusions.outcomes.clear();
    }
    return called.of.get(declaration) ?? NONE;
  };

  /**
   * All functions at once, since they may call each other in circles: each is taken for guarded until one of its calls
   * turns out not to be, and what that means for the functions that it calls is passed on until nothing changes.
   */
  const judgeCallers = (): ReadonlyMap<FunctionDef, Evidence> => {
    const calls = new Map<FunctionDef, readonly { local: Evidence; inside: readonly FunctionDef[] }[]>();
    for (const declaration of flow.functions) {
      const found = callers.callsOf(declaration);
      if (!found || found.length === 0) continue;
      calls.set(
        declaration,
        found.map((call) => ({ local: established(call.facts), inside: functionsAround(call.facts) })),
      );
    }
    const known = new Map<FunctionDef, Evidence>([...calls.keys()].map((declaration) => [declaration, IMPOSSIBLE]));
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const [declaration, sites] of calls) {
        const judged = sites
          .map(({ local, inside }) => inside.reduce((sum, each) => both(sum, known.get(each) ?? NONE), local))
          .reduce(either);
        const before = known.get(declaration) ?? NONE;
        if (judged.level === before.level && judged.devices === before.devices) continue;
        known.set(declaration, judged);
        isChanged = true;
      }
    }
    // Functions that only call each other are not called.
    for (const [declaration, evidence] of known) if (isImpossible(evidence)) known.set(declaration, NONE);
    return known;
  };

  /** What the constructor, or the set-up of a test, made sure of before any other method can run. */
  const ofSetUp = (declaration: FunctionDef): Evidence => {
    const home = names.scopeOf(declaration);
    if (home.kind !== 'class' || SET_UP.has(declaration.name)) return NONE;
    let sum = NONE;
    for (const name of SET_UP) {
      for (const { node } of home.definitions.get(name) ?? []) {
        const scope = node?.kind === 'FunctionDef' ? node.inner : undefined;
        for (let fact = scope?.factsAtEnd; fact && fact.kind !== 'body'; fact = fact.outer)
          sum = both(sum, evidenceOf(fact));
      }
    }
    return sum;
  };

  return { evidenceAt, isDistributed, isDecorated };
}
