/** Several ways to fix one place, best first. */
import type { Edit, Fix, FixTier } from '../edits/fix.ts';

/** A fix without its tier, which depends on the order of several fixes. */
export interface Offer {
  readonly title: string;
  readonly edits: readonly Edit[];
}

/** Returns the first offer as a fix with that tier and the others as suggestions, without duplicate titles. */
export function preferringFirst(offers: readonly (Offer | undefined)[], tier: FixTier): Fix[] {
  const titles = new Set<string>();
  const distinct = offers.filter((offer) => offer && !titles.has(offer.title) && titles.add(offer.title));
  return distinct.flatMap((offer, index) =>
    offer ? [{ ...inOrder(offer), tier: index === 0 ? tier : 'suggestion' }] : [],
  );
}

export const inOrder = (offer: Offer): Offer => ({
  ...offer,
  edits: [...offer.edits].sort((a, b) => a.span.start - b.span.start),
});

export const asSuggestion = (fix: Fix): Fix => ({ ...fix, tier: 'suggestion' });
