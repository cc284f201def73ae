import type { StackFacts } from './facts.ts';

export type Severity = 'error' | 'warning' | 'information';

/** A judgement on the stack. */
export interface Verdict {
  /** Stable, in kebab case: links, settings and the documentation name it. */
  id: string;
  severity: Severity;
  /** One sentence. */
  finding: string;
  /** The facts that clash, each with where it was read. */
  why: { fact: string; source: string }[];
  /** Ways out, the most likely first; commands are there to be copied and are never run. */
  remedies: { title: string; command?: string }[];
}

/** What is wrong with this stack, worst first. Unknown and pending facts raise no verdict by their absence. */
export declare function judgeStack(facts: StackFacts): Verdict[];
