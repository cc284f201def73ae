/** Control flow: merges definitions and conditions at branches, loops and exits. */
import { Environment } from './environment.ts';
import { joinedConditions, type PathConditions, unreachable } from './pathConditions.ts';
import { type Definition, definitionOf, type Scope } from './scopes.ts';

/**
 * Maximum number of definitions that reach a use: generated code can give a name thousands of them, and only the latest
 * are kept.
 */
const MAX_REACHING = 64;
/** Maximum number of definitions for which the conditions on the way to a use are recorded. */
const MAX_TRACED = 8;

/** The result of a branch: the names that it set, and the conditions at its end. */
export interface BranchOutcome {
  readonly set: ReadonlyMap<string, readonly Definition[]>;
  readonly conditions: PathConditions;
  readonly live: boolean;
}

export interface Loop {
  readonly base: Environment;
  readonly breaks: BranchOutcome[];
  readonly continues: BranchOutcome[];
}

/** The state of the walk: definitions, conditions, and whether the current point is reachable. */
export class ControlFlow {
  scope: Scope;
  environment = new Environment();
  conditions: PathConditions;
  isLive = true;
  loops: Loop[] = [];

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** Marks the rest of the block as unreachable. */
  end(): void {
    if (!this.isLive) return;
    this.isLive = false;
    this.conditions = unreachable(this.conditions);
  }

  jump(to: 'break' | 'continue'): void {
    const loop = this.loops.at(-1);
    if (loop && this.isLive) {
      const outcome = { set: this.environment.since(loop.base), conditions: this.conditions, live: true };
      (to === 'break' ? loop.breaks : loop.continues).push(outcome);
    }
    this.end();
  }

  /** Runs `body` on its own layer and returns its outcome; the previous state is restored. */
  branch(
    conditions: PathConditions,
    body: () => void,
    start?: ReadonlyMap<string, readonly Definition[]>,
  ): BranchOutcome {
    const base = this.environment;
    const conditionsBefore = this.conditions;
    const liveBefore = this.isLive;
    this.environment = new Environment(base);
    for (const [name, definitions] of start ?? []) this.environment.set(name, definitions);
    this.conditions = conditions;
    body();
    const outcome = { set: this.environment.since(base), conditions: this.conditions, live: this.isLive };
    this.environment = base;
    this.conditions = conditionsBefore;
    this.isLive = liveBefore;
    return outcome;
  }

  /** Continues from the branches that reach their end. */
  merge(outcomes: readonly BranchOutcome[]): void {
    if (!this.isLive) return;
    const live = outcomes.filter((outcome) => outcome.live);
    const [first, ...others] = live;
    if (!first) return this.end();
    this.conditions = others.reduce(
      (conditions, outcome) => joinedConditions(conditions, outcome.conditions),
      first.conditions,
    );
    if (others.length === 0) {
      for (const [name, definitions] of first.set) this.environment.set(name, definitions);
      return;
    }
    const names = new Set(live.flatMap(({ set }) => [...set.keys()]));
    for (const name of names) this.environment.set(name, this.#reaching(name, live));
  }

  /** The definitions of a name that reach a merge point. */
  #reaching(name: string, outcomes: readonly BranchOutcome[]): readonly Definition[] {
    const before = this.environment.get(name) ?? [this.unbound(name)];
    const reaching: Definition[] = [];
    for (const { set, conditions } of outcomes) {
      for (const definition of set.get(name) ?? before) {
        const isKept = !set.has(name) && before.length <= MAX_TRACED;
        const arrived = isKept ? withConditions(definition, conditions) : definition;
        if (!reaching.includes(arrived)) reaching.push(arrived);
      }
    }
    return reaching.length > MAX_REACHING ? reaching.slice(-MAX_REACHING) : reaching;
  }

  /**
   * Starts a loop: the values of the names that it assigns may come from an earlier iteration. Call the result with the
   * ends of the iteration.
   */
  startIteration(assigned: ReadonlySet<string>): (ends: readonly BranchOutcome[]) => void {
    const carried = new Map<string, Definition[]>();
    for (const name of assigned) {
      const before = this.environment.get(name);
      if (!before) continue;
      const fromEarlierTurns: Definition[] = [];
      const definition: Definition = { ...this.unbound(name), kind: 'loop-carried', loopCarried: fromEarlierTurns };
      carried.set(name, fromEarlierTurns);
      this.environment.set(name, [...before, definition]);
    }
    return (ends) => {
      for (const [name, definitions] of carried) {
        for (const { set, live } of ends) if (live) definitions.push(...(set.get(name) ?? []));
      }
    };
  }

  unbound(name: string): Definition {
    return definitionOf('unbound', name, this.scope, undefined);
  }
}

/** Adds the conditions at a merge point to a definition, if more is known there than at the definition. */
function withConditions(definition: Definition, conditions: PathConditions): Definition {
  const isTraced = definition.kind !== 'unbound' && definition.laterConditions.length < MAX_TRACED;
  return conditions === undefined || conditions === definition.conditions || !isTraced
    ? definition
    : { ...definition, laterConditions: [...definition.laterConditions, conditions] };
}
