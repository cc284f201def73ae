/** The sections of an explanation, in a terminal, in Markdown and on the page. */
import type { Explanation } from '../explain/explanation.ts';

export type Cause = Explanation['causes'][number];

/** The headings, in order; `headingOf` returns that of the causes. */
export const REMEDIES = 'What to do';
export const CHECKS = 'How to tell';
export const OTHER_CAUSES = 'Other possible causes';
export const RULED_OUT = 'Ruled out';

/** Returns the heading of the first section of causes. */
export function headingOf(why: readonly Cause[]): string {
  return why[0]?.standing === 'confirmed' ? 'Why it happened here' : 'Possible causes';
}

/** Returns the causes by section: if one is confirmed, what to do comes before other possible causes. */
export function sectionsOf({ causes }: Pick<Explanation, 'causes'>): Record<'why' | 'besides' | 'ruledOut', Cause[]> {
  const of = (standing: Cause['standing']) => causes.filter((cause) => cause.standing === standing);
  const [confirmed, possible] = [of('confirmed'), of('possible')];
  const [why, besides] = confirmed.length > 0 ? [confirmed, possible] : [possible, []];
  return { why, besides, ruledOut: of('ruled-out') };
}
