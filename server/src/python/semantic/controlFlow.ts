import type { Jump } from '../syntax.ts';
import { common, type Facts, unreachable } from './pathConditions.ts';
import { type Definition, Environment, type Scope } from './scopes.ts';

/** Generated code can give a name thousands of definitions: the latest stand for all of them. */
const MOST_REACHING = 64;
/** With more definitions than these it is not noted any more on which ways each of them came. */
const MOST_TRACED = 8;

/** What came of a branch: the names that it set, and what holds at its end. */
export interface Outcome {
  readonly set: ReadonlyMap<string, readonly Definition[]>;
  readonly facts: Facts;
  readonly live: boolean;
}

export interface Loop {
  readonly base: Environment;
  readonly breaks: Outcome[];
  readonly continues: Outcome[];
}

/** Where the walk through a program stands: what names mean there, what holds, and whether the program gets there. */
export class Execution {
  scope: Scope;
  environment = new Environment();
  facts: Facts;
  isLive = true;
  loops: Loop[] = [];

  constructor(scope: Scope) {
    this.scope = scope;
  }

  /** What follows in this block is not reached. */
  end(): void {
    if (!this.isLive) return;
    this.isLive = false;
    this.facts = unreachable(this.facts);
  }

  jump(node: Jump): void {
    const loop = this.loops.at(-1);
    if (loop && this.isLive) {
      const outcome = { set: this.environment.since(loop.base), facts: this.facts, live: true };
      (node.to === 'break' ? loop.breaks : loop.continues).push(outcome);
    }
    this.end();
  }

  /** Runs `body` on a layer of its own and returns what came of it; the state before it is restored. */
  branch(facts: Facts, body: () => void, start?: ReadonlyMap<string, readonly Definition[]>): Outcome {
    const base = this.environment;
    const factsBefore = this.facts;
    const liveBefore = this.isLive;
    this.environment = new Environment(base);
    for (const [name, definitions] of start ?? []) this.environment.set(name, definitions);
    this.facts = facts;
    body();
    const outcome = { set: this.environment.since(base), facts: this.facts, live: this.isLive };
    this.environment = base;
    this.facts = factsBefore;
    this.isLive = liveBefore;
    return outcome;
  }

  /** Goes on with whatever branches got to their end. */
  merge(outcomes: readonly Outcome[]): void {
    if (!this.isLive) return;
    const live = outcomes.filter((outcome) => outcome.live);
    const [first, ...others] = live;
    if (!first) return this.end();
    this.facts = others.reduce((facts, outcome) => common(facts, outcome.facts), first.facts);
    if (others.length === 0) {
      for (const [name, definitions] of first.set) this.environment.set(name, definitions);
      return;
    }
    for (const outcome of live) {
      for (const name of outcome.set.keys()) {
        // A name that an earlier branch set too has been merged with it.
        const setter = live.find(({ set }) => set.has(name));
        if (setter === outcome) this.environment.set(name, this.#reaching(name, live));
      }
    }
  }

  /** The definitions of a name after several ways that lead here. */
  #reaching(name: string, ways: readonly Outcome[]): readonly Definition[] {
    const before = this.environment.get(name) ?? [this.unbound(name)];
    const reaching: Definition[] = [];
    for (const { set, facts } of ways) {
      for (const definition of set.get(name) ?? before) {
        const isKept = !set.has(name) && before.length <= MOST_TRACED;
        const arrived = isKept ? passing(definition, facts) : definition;
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
      const definition = { ...this.unbound(name), kind: 'carried' as const, carried: [] };
      carried.set(name, definition.carried);
      this.environment.set(name, [...before, definition]);
    }
    return (ends) => {
      for (const [name, definitions] of carried) {
        for (const { set, live } of ends) if (live) definitions.push(...(set.get(name) ?? []));
      }
    };
  }

  unbound(name: string): Definition {
    return { name, kind: 'unbound', facts: undefined, passed: [], scope: this.scope, isFromElsewhere: false };
  }
}

/** A definition that got here on a way where more is known than where it was made. */
function passing(definition: Definition, facts: Facts): Definition {
  const isTraced = definition.kind !== 'unbound' && definition.passed.length < MOST_TRACED;
  return facts === undefined || facts === definition.facts || !isTraced
    ? definition
    : { ...definition, passed: [...definition.passed, facts] };
}
