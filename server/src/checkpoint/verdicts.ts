import type { Checkpoint, Safety, SafetyLevel, SafetyVerdict } from './checkpoint.ts';

/** From harmless to harmful. "Loading runs code" outranks "unknown". */
const RANK: readonly SafetyVerdict[] = [
  'no-code',
  'weights-only',
  'refused',
  'not-checked',
  'needs-trust',
  'suspicious',
  'dangerous',
];

/** Returns the worst verdict among the parts or the readings of a checkpoint; on a tie, the first. */
export function worstOf(parts: readonly Safety[]): Safety {
  const [first = notChecked('nothing in it was checked'), ...others] = parts;
  return others.reduce(
    (worst, each) => (RANK.indexOf(each.verdict) > RANK.indexOf(worst.verdict) ? each : worst),
    first,
  );
}

/**
 * States that a loader, named at the start of the sentence, only makes data from a file: `The safetensors library`.
 * This is true only for that loader; another one may find instructions in the same bytes.
 */
export function noCode(loader: string): Safety {
  return { verdict: 'no-code', reason: `${loader} reads it as data and runs no code from it.` };
}

/** States that a runtime, named at the start of the sentence, only computes with a program. */
export function onlyComputes(runtime: string): Safety {
  return {
    verdict: 'no-code',
    reason: `${runtime} only computes with it: its operators access no files and run no other code.`,
  };
}

/** States why loading a file runs its author's code, as a sentence. */
export function needsTrust(reason: string): Safety {
  return { verdict: 'needs-trust', reason };
}

/** The verdict on a file that does what no ordinary file of its format does. */
export function suspicious(reason: string): Safety {
  return { verdict: 'suspicious', reason };
}

/**
 * States why a file is not checked, as a clause: `it has data after its last tensor`. A file that can be read in two
 * ways, or that cannot be read completely, is not checked, because one of its readers may find something that another
 * does not see.
 */
export function notChecked(why: string): Safety {
  return { verdict: 'not-checked', reason: `Not checked: ${why}.` };
}

/** Returns the level of a verdict, which does not depend on `weights_only`. */
export function levelOf({ verdict }: Safety): SafetyLevel {
  return verdict === 'no-code' || verdict === 'weights-only' || verdict === 'refused' ? 'harmless' : verdict;
}

/** True if a file was read completely, has only one reading and does nothing but make data. */
export function isHarmless(safety: Safety): boolean {
  return levelOf(safety) === 'harmless';
}

/** Returns the problems of a file, except for the sentence that loading it runs code. */
export function damagesIn({ problems, safety }: Pick<Checkpoint, 'problems' | 'safety'>): readonly string[] {
  return runsCode(safety) ? problems.filter((problem) => problem !== safety.reason) : problems;
}

/** True if loading runs, or may run, untrusted code. */
export function runsCode({ verdict }: Safety): boolean {
  return verdict === 'needs-trust' || verdict === 'suspicious' || verdict === 'dangerous';
}
