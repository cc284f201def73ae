/** How the causes of an explanation are told, in a terminal, in Markdown and on the page. */
import type { Explanation } from '../explain/explanation.ts';

export type Cause = Explanation['causes'][number];

/** Headings of what comes after what to do. */
export const BESIDES = 'What else is possible';
export const RULED_OUT = 'What was ruled out';

/** The causes as their reader needs them: where one is confirmed, what to do goes before what else it could be. */
export function sectionsOf({ causes }: Pick<Explanation, 'causes'>): Record<'why' | 'besides' | 'ruledOut', Cause[]> {
  const of = (standing: Cause['standing']) => causes.filter((cause) => cause.standing === standing);
  const [confirmed, possible] = [of('confirmed'), of('possible')];
  const [why, besides] = confirmed.length > 0 ? [confirmed, possible] : [possible, []];
  return { why, besides, ruledOut: of('ruled-out') };
}
