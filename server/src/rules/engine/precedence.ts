/** One problem at a time: what becomes of findings where another rule says more about the same place. */

import { push } from '../../python/semantic/multimap.ts';
import type { Span } from '../../python/semantic/source.ts';
import { countBelow } from '../../python/syntax/ascending.ts';
import { asHint } from './asHint.ts';
import type { Finding, RuleMetadata } from './contract.ts';

/** Returns the findings without those that another rule's finding omits, and with those as hints that it makes hints. */
export function withPrecedence(findings: readonly Finding[], rules: readonly RuleMetadata[]): readonly Finding[] {
  const outranked = new Map(rules.map(({ code, outranks = {} }) => [code, Object.entries(outranks)]));
  const omitting = new Map<string, Finding[]>();
  const lowering = new Map<string, Finding[]>();
  for (const finding of findings)
    for (const [code, effect] of outranked.get(finding.code) ?? []) {
      if (effect === 'omitted') push(omitting, code, finding);
      else if (finding.severity !== 'hint') push(lowering, code, finding);
    }
  if (omitting.size === 0 && lowering.size === 0) return findings;
  const omits = new Map([...omitting].map(([code, louder]) => [code, createOverlap(louder)]));
  const lowers = new Map([...lowering].map(([code, louder]) => [code, createOverlap(louder)]));
  return findings.flatMap((finding) => {
    const { code, severity, span } = finding;
    if (omits.get(code)?.(span)) return [];
    const louder = severity === 'hint' ? undefined : lowers.get(code)?.(span);
    return louder ? [asHint(finding, [{ because: `${louder.code} reports this call`, at: louder.span }])] : [finding];
  });
}

/** Returns a function that finds one of the findings that overlaps with a span. */
function createOverlap(findings: Finding[]): (span: Span) => Finding | undefined {
  const sorted = findings.toSorted((a, b) => a.span.start - b.span.start);
  // The finding that ends last among each one and all that start before it.
  const farthest: Finding[] = [];
  for (const finding of sorted) {
    const before = farthest.at(-1);
    farthest.push(before && before.span.end > finding.span.end ? before : finding);
  }
  return ({ start, end }) => {
    const last = farthest[countBelow(sorted, end, ({ span }) => span.start) - 1];
    return last && last.span.end > start ? last : undefined;
  };
}
