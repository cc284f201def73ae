/**
 * One answer to whether a build fits a machine and the builds beside it. Judges ask it about what is installed, rules on
 * environment files about what is declared, objections about what a command would install, and the solver about what is
 * published. Each of them words its own sentences.
 */
import type { Build } from './build.ts';
import type { Target } from './target.ts';

/** An answer, with the details that an asker words; what is unknown names the missing fact. */
export type Fit<Details = object> =
  | ({ readonly fit: 'holds' | 'fails' } & Details)
  | { readonly fit: 'unknown'; readonly missing: string };

/** The machine and the other builds in the same environment. */
interface Surroundings {
  readonly target: Target;
  /** With their sources, if they are installed. */
  readonly beside: readonly Build[];
}

/** A relation between a build and its surroundings, in a file of its own. */
export interface Relation<Details extends object = object> {
  /** Its name, such as "driver". */
  readonly id: string;
  /** One answer for each GPU, neighbor or requirement that concerns the build; empty if none does. */
  ask(build: Build, surroundings: Surroundings): readonly Fit<Details>[];
}

/** The answers of a relation that fail. */
export function failures<Details extends object>(
  { ask }: Pick<Relation<Details>, 'ask'>,
  build: Build,
  surroundings: Surroundings,
): readonly (Details & { readonly fit: 'fails' })[] {
  return ask(build, surroundings).filter((each): each is Details & { readonly fit: 'fails' } => each.fit === 'fails');
}
