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

/** Returns the code of a rule, given its code or name in upper or lower case; undefined if there is no such rule. */
export function codeOfRule(written: string): string | undefined {
  const lower = written.toLowerCase();
  return RULE_NAMES.find(({ code, name }) => code.toLowerCase() === lower || name === lower)?.code;
}

/** Returns the name of a rule by its code. */
export function nameOfRule(code: string): string {
  return RULE_NAMES.find((rule) => rule.code === code)?.name ?? code;
}

/** Returns the code or code prefix that a selector means; undefined if it does not match any rule. */
export function prefixOfRules(written: string): string | undefined {
  const upper = written.toUpperCase();
  const isPrefix = upper !== '' && RULE_NAMES.some(({ code }) => code.startsWith(upper));
  return codeOfRule(written) ?? (isPrefix ? upper : undefined);
}

/** Returns the code or name that a misspelled selector probably means. */
export function nearestRule(written: string): string | undefined {
  return nearest(
    written,
    RULE_NAMES.flatMap(({ code, name }) => (/^gpu\d*/i.test(written) ? [code] : [code, name])),
  );
}
