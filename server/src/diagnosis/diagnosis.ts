import type { Action } from '../commands/action.ts';
import type { RuntimeFramework, StackFacts } from '../stack/facts/facts.ts';
import type { Remedy } from './remedy.ts';

export type DiagnosisSeverity = 'error' | 'warning' | 'information';

/** One finding of a judge. */
export interface Judgement {
  /** "error": it cannot work. "warning": it does not work as meant. "information": it works; this is worth knowing. */
  severity: DiagnosisSeverity;
  /** The affected framework, if others may work. */
  framework?: RuntimeFramework;
  /** One sentence. */
  finding: string;
  /** The conflicting facts, each with its source. */
  why: { fact: string; source: string }[];
  /** Finds actions that remove it, the most likely first; a search for builds takes longer than all judges. */
  remedies(): readonly Action[];
}

/** A diagnosis of the stack, with its remedies written for the machine when they are first read. */
export interface Verdict extends Omit<Judgement, 'remedies'> {
  /** The most likely first. */
  readonly remedies: readonly Remedy[];
  /** Stable, in kebab case: links, settings and the documentation use it. */
  id: string;
  /** The address of the page that explains it. */
  page: string;
}

/** Checks for one conflict, which has a page in `docs/stack/`. Unknown and pending facts cause no findings. */
export interface Judge {
  id: string;
  judge(facts: StackFacts): Judgement[];
}
