import { shippedPage } from '../documentation.ts';
import { allRules } from '../lint/allRules.ts';
import { codeOfRule, nearestRule, prefixOfRules } from '../lint/ruleNames.ts';
import type { RuleMetadata } from '../rules/engine/contract.ts';
import { readArguments, UsageError } from './usage.ts';

const line = ({ code, name, summary, isOffByDefault }: RuleMetadata) =>
  `${code}  ${name}${isOffByDefault ? ' (off by default)' : ''}\n        ${summary}\n`;

/** `gpu-doctor rule`: prints a rule's page; without a code or name, the list of rules. */
export async function rule(args: readonly string[]): Promise<number> {
  const read = readArguments('rule', args);
  if (!read) return 0;
  if (read.positionals.length === 0) process.stdout.write(allRules.map(line).join(''));
  for (const written of read.positionals) {
    const code = codeOfRule(written);
    const prefix = prefixOfRules(written);
    if (code) process.stdout.write(shippedPage(`rules/${code}.md`) ?? '');
    else if (prefix)
      process.stdout.write(
        allRules
          .filter((each) => each.code.startsWith(prefix))
          .map(line)
          .join(''),
      );
    else {
      const likely = nearestRule(written);
      throw new UsageError(`there is no rule \`${written}\`${likely ? `: did you mean \`${likely}\`?` : ''}`);
    }
  }
  return 0;
}
