import type { RuntimeFramework, StackFacts } from '../stack/facts/facts.ts';
import type { Remedy } from './remedy.ts';

export type Severity = 'error' | 'warning' | 'information';

/** What one look at the facts has found. */
export interface Judgement {
  /** "error": it cannot work. "warning": it does not work as meant. "information": it works; this is worth knowing. */
  severity: Severity;
  /** The framework that it is about, where others may be well. */
  framework?: RuntimeFramework;
  /** One sentence. */
  finding: string;
  /** The facts that clash, each with where it was read. */
  why: { fact: string; source: string }[];
  /** Ways out, the most likely first; commands are there to be copied and are never run. */
  remedies: Remedy[];
}

/** A judgement on the stack. */
export interface Verdict extends Judgement {
  /** Stable, in kebab case: links, settings and the documentation name it. */
  id: string;
  /** Address of the page that explains it. */
  page: string;
}

/** One thing that can be wrong with a stack, with its page in `docs/stack/`. Unknown and pending facts raise nothing. */
export interface Judge {
  id: string;
  judge(facts: StackFacts): Judgement[];
}
