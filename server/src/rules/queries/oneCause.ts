/** One report per cause: the first of several sites that share a cause is reported, and the others refer to it. */

import type { Reason } from '../../guards/reason.ts';
import type { Span } from '../../python/semantic/source.ts';
import type { Node } from '../../python/syntax/nodes.ts';
import type { RelatedPlace } from '../engine/contract.ts';

export interface CausedSite {
  readonly span: Span;
  /** Reasons why the site is only a hint, regardless of other sites. */
  readonly reasons: readonly Reason[];
}

/** A site with the reasons that earlier sites add. */
export interface Reported<S> {
  readonly site: S;
  readonly reasons: readonly Reason[];
  readonly related: readonly RelatedPlace[];
}

/**
 * Groups sites by cause, which consists of the function and the detail that `causeOf` returns. A site that is a hint
 * anyway is never the one reported.
 */
export function firstOfCause<S extends CausedSite>(
  sites: Iterable<S>,
  causeOf: (site: S) => { readonly within: Node | undefined; readonly detail?: number },
): Reported<S>[] {
  const firsts = new Map<Node | undefined, Map<number | undefined, Span>>();
  return [...sites]
    .sort((a, b) => a.span.start - b.span.start)
    .map((site) => {
      const { reasons, span } = site;
      if (reasons.length > 0) return { site, reasons, related: [] };
      const { within, detail } = causeOf(site);
      const known = firsts.get(within) ?? new Map<number | undefined, Span>();
      firsts.set(within, known);
      const first = known.get(detail);
      if (!first) {
        known.set(detail, span);
        return { site, reasons, related: [] };
      }
      const because = 'an earlier line is reported for the same cause';
      return {
        site,
        reasons: [{ because, at: first }],
        related: [{ span: first, message: 'Reported here first.' }],
      };
    });
}
