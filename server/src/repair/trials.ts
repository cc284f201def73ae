/** The remedies that a repair tries, and the judgment of what became of the failure. */
import { isAbsolute, relative, sep } from 'node:path';
import type { Remedy } from '../diagnosis/remedy.ts';
import type { Explanation, RemedyEdit, Unexplained } from '../explain/explanation.ts';
import { type CommandChanges, changesOf } from './commandChanges.ts';

/** How a program failed, and the explanation. */
export interface Failure {
  /** The explanation's identifier; undefined for an unknown error. */
  readonly id: string | undefined;
  /** The line that contains the error; empty if there is none. */
  readonly message: string;
  readonly location: Explanation['location'];
  readonly trials: readonly Trial[];
}

/** A remedy that can be tried in a copy. */
export interface Trial extends CommandChanges {
  readonly title: string;
  /** As it is done to the original; null for an edit. */
  readonly command: string | null;
  /** Its file is a path in the project with `/`. */
  readonly edit: RemedyEdit | null;
}

/** The result of the program, or of the command that stands for it. `running`: stopped after the time limit. */
export type TrialResult =
  | { readonly ended: 'passed' | 'running'; readonly seconds: number }
  /** `isWorse`: something else failed that did not fail in the original. */
  | { readonly ended: 'failed'; readonly failure: Failure; readonly isWorse?: true };

export type Judgment = 'works' | 'getsFurther' | 'doesNotHelp';

/** Returns the failure that an explained text shows, with the remedies for packages and for scripts of the project. */
export function explainedFailure(
  explanations: readonly Explanation[],
  unknown: Unexplained | undefined,
  project: string,
): Failure {
  const [first] = explanations;
  const remedies = first?.remedies ?? unknown?.suspicions.flatMap(({ remedies }) => remedies) ?? [];
  return {
    id: first?.id,
    message: first?.message ?? unknown?.message ?? '',
    location: first?.location ?? unknown?.location ?? null,
    trials: remedies.flatMap((remedy): Trial[] => {
      const { title, command } = remedy;
      const edit = 'edit' in remedy && remedy.edit ? editIn(project, remedy.edit as RemedyEdit) : null;
      if (edit) return [{ title, command: null, calls: [], variables: {}, edit }];
      const trial = command === null ? undefined : trialOf([{ title, command }]);
      return trial ? [trial] : [];
    }),
  };
}

/** Returns a way of one or more steps as a remedy that can be tried; undefined if a step does anything else. */
export function trialOf(way: readonly Pick<Remedy, 'title' | 'command'>[]): Trial | undefined {
  const commands = way.flatMap(({ command }) => command ?? []);
  const command = commands.join(' && ');
  const changes = commands.length === way.length ? changesOf(command) : undefined;
  return changes && { title: way.map(({ title }) => title).join('; '), command, ...changes, edit: null };
}

/** An edit of a script in the project; null for any other. */
function editIn(project: string, { filename, edits }: RemedyEdit): RemedyEdit | null {
  const path = relative(project, filename).split(sep).join('/');
  return path.startsWith('..') || isAbsolute(path) || edits.some(({ cell }) => cell !== null)
    ? null
    : { filename: path, edits };
}

/** Judges a check by what failed before: another failure in an earlier line of the same file is none that is further. */
export function judgeCheck(before: Failure, check: TrialResult): Judgment {
  if (check.ended !== 'failed') return 'works';
  const { failure } = check;
  if (check.isWorse || isSameFailure(before, failure)) return 'doesNotHelp';
  const [was, is] = [before.location, failure.location];
  const isEarlier = was?.line && is?.line && baseName(was.file) === baseName(is.file) && is.line < was.line;
  return isEarlier ? 'doesNotHelp' : 'getsFurther';
}

/** True if two runs failed in the same way, wherever their files are. */
export function isSameFailure(one: Failure, other: Failure): boolean {
  return one.id === other.id && withoutPlaces(one.message) === withoutPlaces(other.message);
}

const baseName = (path: string) => path.replace(/^.*[\\/]/, '');

/** A message without paths, addresses and process numbers, which differ between two runs. */
const withoutPlaces = (message: string) => message.replaceAll(/[^\s"'()]*[\\/][^\s"'()]*|0x[\da-f]+|\d{4,}/gi, '*');
