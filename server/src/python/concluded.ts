/** Answers that are remembered for as long as what was concluded about the program stays true. */
import type { Question } from './gather.ts';
import type { Program } from './program.ts';

/**
 * Asks a question about each stretch of a program, anew where it was edited or anything that conclusions rest on was.
 * `find` may ask what is declared, and what names and values mean, but not which other calls there are: those of another
 * function may have been edited since.
 */
export function concluded<T>(
  find: Question<T, Program>['find'],
  nodeOf?: Question<T>['nodeOf'],
): (program: Program) => readonly T[] {
  const question: Question<T, Program> = { find, ...(nodeOf && { nodeOf }) };
  return (program) => program.flow.gathered(question, program, program.conclusions.era);
}
