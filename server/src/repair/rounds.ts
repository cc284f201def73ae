import { type Failure, isSameFailure, type Judgment, judgeCheck, type Trial, type TrialResult } from './trials.ts';

/** Maximum number of failures that are repaired one after the other, and of remedies that are tried for each. */
const MAX_ROUNDS = 3;
const MAX_TRIALS = 3;

/** The side effects of a repair. `Place` is an environment with a project. */
export interface Bench<Place> {
  /** Copies a place, with or without its environment. */
  copy(place: Place, withEnvironment: boolean): Promise<Place>;
  /** Applies a remedy to a copy and returns it; a string says why that was impossible, as a clause. */
  apply(trial: Trial, place: Place): Promise<Place | string>;
  /** Runs the program, or what stands for it. */
  check(place: Place): Promise<TrialResult>;
  remove(place: Place): Promise<void>;
  /** Reports what became of a remedy. */
  report(tried: Tried): void;
}

/** A remedy that was tried. `trouble` says why it could not be done. */
export interface Tried {
  readonly trial: Trial;
  readonly judgment: Judgment;
  readonly check?: TrialResult;
  readonly trouble?: string;
}

/** The result of a repair. `steps` are the remedies that helped, in order. */
export type RepairOutcome<Place> =
  | { readonly ended: 'works'; readonly steps: readonly Trial[]; readonly place: Place; readonly check: TrialResult }
  | { readonly ended: 'stuck'; readonly steps: readonly Trial[]; readonly failure: Failure }
  /** The copy does not fail as the original does, so nothing that happens in it proves anything. */
  | { readonly ended: 'noCopy'; readonly check: TrialResult };

/** Tries remedies in copies until the program works, or until none helps. */
export async function tryRemedies<Place extends object>(
  original: Place,
  first: Failure,
  bench: Bench<Place>,
): Promise<RepairOutcome<Place>> {
  let base = original;
  let failure = first;
  let isProven = false;
  const steps: Trial[] = [];
  const help = async (): Promise<Helped<Place> | Extract<RepairOutcome<Place>, { ended: 'noCopy' }> | undefined> => {
    for (const trial of failure.trials.slice(0, MAX_TRIALS)) {
      const changesEnvironment = trial.calls.length > 0;
      const copy = await bench.copy(base, changesEnvironment);
      if (changesEnvironment && !isProven) {
        const check = await bench.check(copy);
        isProven = check.ended === 'failed' && isSameFailure(failure, check.failure);
        if (!isProven) return { ended: 'noCopy', check };
      }
      const place = await bench.apply(trial, copy);
      if (typeof place === 'string') bench.report({ trial, judgment: 'doesNotHelp', trouble: place });
      else {
        const check = await bench.check(place);
        const judgment = judgeCheck(failure, check);
        bench.report({ trial, judgment, check });
        if (judgment !== 'doesNotHelp') return { ended: 'helped', trial, place, check };
      }
      await bench.remove(copy);
    }
    return undefined;
  };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const helped = await help();
    if (helped === undefined) break;
    if (helped.ended === 'noCopy') return helped;
    base = helped.place;
    steps.push(helped.trial);
    if (helped.check.ended !== 'failed') return { ended: 'works', steps, place: base, check: helped.check };
    failure = helped.check.failure;
  }
  return { ended: 'stuck', steps, failure };
}

interface Helped<Place> {
  readonly ended: 'helped';
  readonly trial: Trial;
  readonly place: Place;
  readonly check: TrialResult;
}
