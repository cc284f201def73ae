/** The pages of verdicts, and what of them is shipped with the extension. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.ts';

const FOLDER = 'docs/stack';

/** The pages of verdicts, by their path from the root. */
export function verdictPages(): string[] {
  return readdirSync(path.join(root, FOLDER)).map((name) => `${FOLDER}/${name}`);
}

/** A page without its list of errors, which leads to pages that are not shipped. */
export function withoutMessages(text: string): string {
  return text.replace(/## Messages\n[\s\S]*?(?=## Sources)/, '');
}
