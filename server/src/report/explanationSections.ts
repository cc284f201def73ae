/** The sections of an explanation, in a terminal, in Markdown and on the page. */
import type { Explanation } from '../explain/explanation.ts';

export type CauseSection = Explanation['causes'][number];

/** The headings of remedies and questions; `headingOf` returns that of the causes. */
export const REMEDIES = 'What to do';
export const QUESTIONS = 'How to tell';

export function headingOf(causes: readonly CauseSection[]): string {
  return causes[0]?.standing === 'confirmed' ? 'Why it happened here' : 'Possible causes';
}
