/** Omits findings, with their fixes, if another rule says more about the same place. */

import type { Span } from '../../python/semantic/source.ts';
import type { Finding } from './contract.ts';
import type { Rule } from './rule.ts';

/** Returns one finding per site, without those that another finding at the same place replaces. */
export function withoutReplaced(findings: readonly Finding[], rules: readonly Rule[]): readonly Finding[] {
  const replacing = new Map(rules.map(({ code, replaces = [] }) => [code, replaces]));
  const louder = new Map<string, Span[]>();
  for (const { code, span } of findings) {
    for (const needless of replacing.get(code) ?? []) {
      const spans = louder.get(needless) ?? [];
      spans.push(span);
      louder.set(needless, spans);
    }
  }
  if (louder.size === 0) return findings;
  const overlaps = new Map([...louder].map(([code, spans]) => [code, overlapWith(spans)]));
  return findings.filter(({ code, span }) => !overlaps.get(code)?.(span));
}

/** Returns a function that tests for overlap with any of these spans. */
function overlapWith(spans: Span[]): (span: Span) => boolean {
  spans.sort((a, b) => a.start - b.start);
  // The farthest end among each span and all spans that start before it.
  let farthest = Number.NEGATIVE_INFINITY;
  const ends = spans.map(({ end }) => {
    farthest = Math.max(farthest, end);
    return farthest;
  });
  return ({ start, end }) => {
    let low = 0;
    for (let high = spans.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((spans[middle]?.start ?? 0) < end) low = middle + 1;
      else high = middle;
    }
    return (ends[low - 1] ?? Number.NEGATIVE_INFINITY) > start;
  };
}
