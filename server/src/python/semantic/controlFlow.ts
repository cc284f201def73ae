/** Control flow: what names mean and what holds where branches part and meet again, loops turn and exits leave. */
import { Environment } from './environment.ts';
import { join, type PathConditions, unreachable } from './pathConditions.ts';
import { type Definition, definitionOf, type Scope } from './scopes.ts';

/** Generated code can give a name thousands of definitions: the latest stand for all of them. */
const MOST_REACHING = 64;
/** With more definitions than these it is not noted any more on which ways each of them came. */
const MOST_TRACED = 8;

/** What came of a branch: the names that it set, and what holds at its end. */
export interface Outcome {
  readonly set: ReadonlyMap<string, readonly Definition[]>;
  readonly conditions: PathConditions;
  readonly live: boolean;
}

export interface Loop {
  readonly base: Environment;
  readonly breaks: Outcome[];
  readonly continues: Outcome[];
}

/** Where the walk through a program stands: what names mean there, what holds, and whether the program gets there. */
export class ControlFlow {
  scope: Scope;
  environment = new Environment();
  conditions: PathConditions;
  isLive = true;
  loops: Loop[] = [];

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** What follows in this block is not reached. */
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

  /** Runs `body` on a layer of its own and returns what came of it; the state before it is restored. */
  branch(conditions: PathConditions, body: () => void, start?: ReadonlyMap<string, readonly Definition[]>): Outcome {
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

  /** Goes on with whatever branches got to their end. */
  merge(outcomes: readonly Outcome[]): void {
    if (!this.isLive) return;
    const live = outcomes.filter((outcome) => outcome.live);
    const [first, ...others] = live;
    if (!first) return this.end();
    this.conditions = others.reduce((conditions, outcome) => join(conditions, outcome.conditions), first.conditions);
    if (others.length === 0) {
      for (const [name, definitions] of first.set) this.environment.set(name, definitions);
      return;
    }
    const names = new Set(live.flatMap(({ set }) => [...set.keys()]));
    for (const name of names) this.environment.set(name, this.#reaching(name, live));
  }

  /** The definitions of a name after several ways that lead here. */
  #reaching(name: string, ways: readonly Outcome[]): readonly Definition[] {
    const before = this.environment.get(name) ?? [this.unbound(name)];
    const reaching: Definition[] = [];
    for (const { set, conditions } of ways) {
      for (const definition of set.get(name) ?? before) {
        const isKept = !set.has(name) && before.length <= MOST_TRACED;
        const arrived = isKept ? passing(definition, conditions) : definition;
        if (!reaching.includes(arrived)) reaching.push(arrived);
      }
    }
    return reaching.length > MOST_REACHING ? reaching.slice(-MOST_REACHING) : reaching;
  }

  /** At the start of a loop: names that it assigns may come from an earlier turn. Call the result with the turn's ends. */
  startTurn(assigned: ReadonlySet<string>): (ends: readonly Outcome[]) => void {
    const carried = new Map<string, Definition[]>();
    for (const name of assigned) {
      const before = this.environment.get(name);
      if (!before) continue;
      const fromEarlierTurns: Definition[] = [];
      const definition: Definition = { ...this.unbound(name), kind: 'carried', carried: fromEarlierTurns };
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

/** A definition that got here on a way where more is known than where it was made. */
function passing(definition: Definition, conditions: PathConditions): Definition {
  const isTraced = definition.kind !== 'unbound' && definition.passed.length < MOST_TRACED;
  return conditions === undefined || conditions === definition.conditions || !isTraced
    ? definition
    : { ...definition, passed: [...definition.passed, conditions] };
}
