/** Rules by code, prefix of a code, or name. */

import { nearest } from '../nearest.ts';
import { allRules } from './allRules.ts';

/** The rule that reports suppressions without effect, as a hint. */
export const UNUSED_SUPPRESSION = 'GPU900';
export const UNUSED_SUPPRESSION_NAME = 'unused-suppression';

/** The code and name of every rule. */
export const RULE_NAMES: readonly { readonly code: string; readonly name: string }[] = [
  ...allRules.map(({ code, name }) => ({ code, name })),
  { code: UNUSED_SUPPRESSION, name: UNUSED_SUPPRESSION_NAME },
];

/** Every beginning of a code that stands for several rules: `GPU`, `GPU2`, `GPU20`. */
export const RULE_PREFIXES: readonly string[] = [
  ...new Set(RULE_NAMES.flatMap(({ code }) => ['GPU', code.slice(0, 4), code.slice(0, 5)])),
];

/** Returns the code of a rule, given its code or name in upper or lower case; undefined if there is no such rule. */
export function codeOfRule(written: string): string | undefined {
  const lower = written.toLowerCase();
  return RULE_NAMES.find(({ code, name }) => code.toLowerCase() === lower || name === lower)?.code;
}

export function nameOfRule(code: string): string {
  return RULE_NAMES.find((rule) => rule.code === code)?.name ?? code;
}

/** Another spelling of the prefix of every code, as in Ruff. */
export const EVERY_RULE = 'ALL';

/** Returns the code or code prefix that a selector means; undefined if it does not match any rule. */
export function prefixOfRules(written: string): string | undefined {
  const upper = written.toUpperCase();
  if (upper === EVERY_RULE) return 'GPU';
  return codeOfRule(written) ?? (RULE_PREFIXES.includes(upper) ? upper : undefined);
}

/** Returns values by the codes of rules, given values by code, name or prefix; the longest prefix of a code decides. */
export function byCode<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  const prefixes = Object.entries(values).map(([written, value]) => [prefixOfRules(written) ?? '', value] as const);
  const inOrder = prefixes.filter(([prefix]) => prefix !== '').sort(([a], [b]) => a.length - b.length);
  return Object.fromEntries(
    inOrder.flatMap(([prefix, value]) =>
      RULE_NAMES.filter(({ code }) => code.startsWith(prefix)).map(({ code }) => [code, value]),
    ),
  );
}

/** Returns the code or name that a misspelled selector probably means. */
export function nearestRule(written: string): string | undefined {
  return nearest(
    written,
    RULE_NAMES.flatMap(({ code, name }) => (/^gpu\d*/i.test(written) ? [code] : [code, name])),
  );
}
