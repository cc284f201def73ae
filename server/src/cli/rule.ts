import { shippedPage } from '../documentation.ts';
import { allRules } from '../project/allRules.ts';
import { nearest } from '../project/nearest.ts';
import { UNUSED_SUPPRESSION } from '../project/unusedSuppressions.ts';
import type { RuleMetadata } from '../rules/engine/contract.ts';
import { readArguments, UsageError } from './usage.ts';

const HELP = `Explain a rule.

Usage: gpu-doctor rule CODE

Options:
  -h, --help        Show this help
`;

const line = ({ code, name, summary, isOffByDefault }: RuleMetadata) =>
  `${code}  ${name}${isOffByDefault ? ' (off by default)' : ''}\n        ${summary}\n`;

/** `gpu-doctor rule`: prints a rule's page; without a code, the list of rules. */
export async function rule(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { help: { type: 'boolean', short: 'h' } });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length === 0) {
    process.stdout.write(allRules.map(line).join(''));
    return 0;
  }
  const codes = [...allRules.map(({ code }) => code), UNUSED_SUPPRESSION];
  for (const written of positionals) {
    const code = codes.find((known) => known === written.toUpperCase());
    if (!code) {
      const likely = nearest(written, codes);
      throw new UsageError(`there is no rule \`${written}\`${likely ? `: did you mean \`${likely}\`?` : ''}`);
    }
    process.stdout.write(shippedPage(`rules/${code}.md`) ?? '');
  }
  return 0;
}
