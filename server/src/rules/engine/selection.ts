/** The rules that a configuration enables. */
import type { RuleMetadata, Severity } from './contract.ts';

export interface Selection {
  /** Codes or prefixes (`GPU1`); absent for all rules that are on by default. */
  readonly select?: readonly string[];
  readonly ignore?: readonly string[];
  /** Severities for flags that override the rules' own; `off` disables a rule. Hints stay hints. */
  readonly severity?: Readonly<Record<string, Severity | 'off'>>;
}

/** The part of a rule that the selection depends on. */
type SelectedRule = Pick<RuleMetadata, 'code' | 'isOffByDefault'>;

/**
 * True if the selection enables the rule. The longest matching prefix decides; `ignore` wins a tie. A rule that is off
 * by default needs a severity, or a prefix in `select`.
 */
export function isSelected({ code, isOffByDefault }: SelectedRule, selection: Selection): boolean {
  const severity = selection.severity?.[code];
  if (severity === 'off') return false;
  const longest = (prefixes: readonly string[]) =>
    Math.max(-1, ...prefixes.filter((prefix) => code.startsWith(prefix)).map((prefix) => prefix.length));
  const selected = selection.select === undefined ? 0 : longest(selection.select);
  if (isOffByDefault && severity === undefined && selected <= 0) return false;
  return selected > longest(selection.ignore ?? []);
}
