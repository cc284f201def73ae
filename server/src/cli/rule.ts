import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allRules } from '../project/allRules.ts';
import { nearest } from '../project/nearest.ts';
import { UNUSED_SUPPRESSION } from '../project/unusedSuppressions.ts';
import { readArguments, UsageError } from './usage.ts';

const HELP = `Explain a rule.

Usage: gpu-doctor rule CODE

Options:
  -h, --help        Show this help
`;

/** The pages lie beside the bundle's folder and, when run from source, two folders further up. */
const PAGE_FOLDERS = ['../docs/rules', '../../../docs/rules'];

/** `gpu-doctor rule`: prints a rule's page; without a code, the list of rules. */
export async function rule(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { help: { type: 'boolean', short: 'h' } });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (positionals.length === 0) {
    process.stdout.write(allRules.map(({ code, name, summary }) => `${code}  ${name}\n        ${summary}\n`).join(''));
    return 0;
  }
  const codes = [...allRules.map(({ code }) => code), UNUSED_SUPPRESSION];
  for (const written of positionals) {
    const code = codes.find((known) => known === written.toUpperCase());
    if (!code) {
      const likely = nearest(written, codes);
      throw new UsageError(`there is no rule \`${written}\`${likely ? `: did you mean \`${likely}\`?` : ''}`);
    }
    process.stdout.write(await readPage(code));
  }
  return 0;
}

async function readPage(code: string): Promise<string> {
  for (const folder of PAGE_FOLDERS) {
    try {
      return await readFile(join(import.meta.dirname, folder, `${code}.md`), 'utf8');
    } catch {
      // It may lie in the other folder.
    }
  }
  throw new UsageError(`the page of ${code} is not installed`);
}
