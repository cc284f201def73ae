/** Judges text of any kind with its rules. */

import type { Reason } from '../guards/reason.ts';
import { adjust } from '../rules/engine/adjust.ts';
import type { CheckOptions } from '../rules/engine/check.ts';
import type { Finding, RuleMetadata } from '../rules/engine/contract.ts';
import { isSelected } from '../rules/engine/selection.ts';
import type { JudgedText } from './judgedText.ts';
import { UNUSED_SUPPRESSION } from './ruleNames.ts';
import { isSuppressed } from './suppressions.ts';
import { unusedSuppressions } from './unusedSuppressions.ts';

interface Judged {
  /** The rules for this kind of text. */
  readonly rules: readonly RuleMetadata[];
  /** Reasons why everything in this file is a hint, such as that it is a vendored copy. */
  readonly aboutFile: readonly Reason[];
  /** Returns what the selected rules find. */
  find(options: CheckOptions): readonly Finding[];
}

/** Returns the unsuppressed findings of the selected rules, with hints about suppressions that have no effect. */
export function judgeText(text: JudgedText, { rules, aboutFile, find }: Judged, options: CheckOptions): Finding[] {
  const isMachineKnown = options.known?.visibleGpus !== undefined || options.known?.here !== undefined;
  // The silence of a rule proves nothing without the facts that it needs.
  const canBeSilent = ({ isAboutFiles, isAboutMachine }: RuleMetadata) =>
    isAboutFiles || (isAboutMachine && !isMachineKnown);
  const judged = new Set(
    rules.filter((rule) => isSelected(rule, options) && !canBeSilent(rule)).map(({ code }) => code),
  );
  const findings = find({
    ...options,
    onRuleError(code, error) {
      judged.delete(code);
      options.onRuleError?.(code, error);
    },
  });
  const shown = adjust(findings, { rules, aboutFile, isSuppressed: (finding) => isSuppressed(text, finding) });
  if (!isSelected({ code: UNUSED_SUPPRESSION }, options)) return shown;
  return [...shown, ...unusedSuppressions(text, findings, judged, rules)].sort(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end,
  );
}
