/** The steps that turn the findings of rules into those that a person sees. */
import type { Reason } from '../../guards/reason.ts';
import { asHint } from './asHint.ts';
import type { Finding, RuleMetadata } from './contract.ts';
import { joinFixes } from './joinFixes.ts';
import { withPrecedence } from './precedence.ts';

interface AdjustOptions {
  /** The rules that the findings are from. */
  readonly rules: readonly RuleMetadata[];
  /** True for a finding that a comment suppresses. */
  readonly isSuppressed?: (finding: Finding) => boolean;
  /** Reasons why everything in this file is a hint, such as that it is a vendored copy. */
  readonly aboutFile?: readonly Reason[];
}

type Adjuster = (findings: readonly Finding[], options: AdjustOptions) => readonly Finding[];

/**
 * The steps, in order. Before them, `observe` keeps one observation per rule and place and assigns severities; after
 * them, the caller adds hints about unused suppressions, and turns findings that a baseline accepts into hints.
 */
const ADJUSTERS: readonly Adjuster[] = [
  // First, because a suppressed finding has no effect on others.
  (findings, { isSuppressed }) => (isSuppressed ? findings.filter((finding) => !isSuppressed(finding)) : findings),
  (findings, { rules }) => withPrecedence(findings, rules),
  // After precedence: an omitted finding has no fix to join.
  joinFixes,
  (findings, { aboutFile = [] }) =>
    aboutFile.length > 0 ? findings.map((finding) => asHint(finding, aboutFile)) : findings,
];

/** Returns the findings after all steps, in source order. */
export function adjust(findings: readonly Finding[], options: AdjustOptions): Finding[] {
  const adjusted = ADJUSTERS.reduce((before, adjuster) => adjuster(before, options), findings);
  return adjusted.toSorted(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.code < b.code ? -1 : 1),
  );
}
