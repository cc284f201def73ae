import { shippedPage } from '../../documentation.ts';
import { allRules } from '../../lint/allRules.ts';
import { codeOfRule, nearestRule } from '../../lint/ruleNames.ts';
import type { RuleMetadata } from '../../rules/engine/contract.ts';
import type { Answered } from './context.ts';
import { Refusal } from './refusal.ts';
import type { RuleSummary } from './results.ts';
import type { InputOf } from './tools.ts';

/** Returns a rule's page, or the list of rules. */
export async function showRule({ rule }: InputOf<'show_rule'>): Promise<Answered<'show_rule'>> {
  if (rule === undefined) {
    const rules = allRules.map(summaryOf);
    const line = ({ code, name, severity, summary }: RuleSummary) => `- ${code} ${name} (${severity}): ${summary}`;
    return { text: rules.map(line).join('\n'), structured: { rules, page: null } };
  }
  const code = codeOfRule(rule);
  if (code === undefined) {
    const likely = nearestRule(rule);
    throw new Refusal(`There is no rule ${rule}${likely ? `: did you mean ${likely}?` : '.'}`);
  }
  const page = shippedPage(`rules/${code}.md`) ?? '';
  return { text: page, structured: { rules: allRules.filter((each) => each.code === code).map(summaryOf), page } };
}

const summaryOf = ({ code, name, severity, summary, isOffByDefault }: RuleMetadata): RuleSummary => ({
  code,
  name,
  severity,
  summary,
  isOffByDefault: isOffByDefault === true,
});
