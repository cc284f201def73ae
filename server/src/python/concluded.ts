/** Answers that are remembered for as long as what was concluded about the program stays true. */
import type { Program } from './program.ts';
import type { Visited } from './visited.ts';

interface Remembered<T> {
  readonly era: object;
  readonly found: readonly T[];
}

/**
 * Asks a question about each stretch of a program, anew where it was edited or anything that conclusions rest on was.
 * `find` may ask what is declared, and what names and values mean, but not which other calls there are: those of another
 * function may have been edited since.
 */
export function concluded<T>(find: (stretch: Visited, program: Program) => readonly T[]): (program: Program) => T[] {
  return (program) => {
    const { stretches } = program.flow;
    const { era } = program.conclusions;
    return stretches.flatMap((stretch) => {
      const before = stretch.known.get(find) as Remembered<T> | undefined;
      if (before?.era === era) return before.found;
      const found = find(stretch, program);
      stretch.known.set(find, { era, found } satisfies Remembered<T>);
      return found;
    });
  };
}
