/** The pages of the documentation that ship with the extension. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DOCUMENTATION } from '../server/src/documentation.ts';
import { root } from './root.ts';

/** The shipped folders below `docs/`. */
export const SHIPPED = ['rules', 'stack'] as const;

/**
 * Returns the pages of a kind, by file name without suffix. Links to pages that are not shipped lead to the published
 * ones.
 */
export function shippedPages(kind: (typeof SHIPPED)[number]): Record<string, string> {
  const folder = path.join(root, 'docs', kind);
  return Object.fromEntries(
    readdirSync(folder).map((file) => {
      const text = withoutMessageList(readFileSync(path.join(folder, file), 'utf8'));
      return [path.basename(file, '.md'), text.replaceAll('](../', `](${DOCUMENTATION}/`)];
    }),
  );
}

/** Returns a page without its list of errors, which links to pages that are not shipped. */
export function withoutMessageList(text: string): string {
  return text.replace(/## Messages\n[\s\S]*?(?=## Sources)/, '');
}
