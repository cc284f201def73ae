/** The causes of an explanation, for a terminal, Markdown and the page. */
import type { Explanation } from '../explain/explanation.ts';

export type Cause = Explanation['causes'][number];

/** Headings of the sections after the remedies. */
export const BESIDES = 'What else is possible';
export const RULED_OUT = 'What was ruled out';

/** The causes in the reader's order: if one is confirmed, its remedies come before other possible causes. */
export function sectionsOf({ causes }: Pick<Explanation, 'causes'>): Record<'why' | 'besides' | 'ruledOut', Cause[]> {
  const of = (standing: Cause['standing']) => causes.filter((cause) => cause.standing === standing);
  const [confirmed, possible] = [of('confirmed'), of('possible')];
  const [why, besides] = confirmed.length > 0 ? [confirmed, possible] : [possible, []];
  return { why, besides, ruledOut: of('ruled-out') };
}
