/** The pages of the documentation that are shipped with the extension, as they are there. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DOCUMENTATION } from '../server/src/documentation.ts';
import { root } from './root.ts';

/** The folders below `docs/` that are shipped. */
export const SHIPPED = ['rules', 'stack'] as const;

/** The pages of a kind, by their names without the suffix. What they tell of pages that are not shipped leads to the published ones. */
export function shippedPages(kind: (typeof SHIPPED)[number]): Record<string, string> {
  const folder = path.join(root, 'docs', kind);
  return Object.fromEntries(
    readdirSync(folder).map((file) => {
      const text = withoutMessages(readFileSync(path.join(folder, file), 'utf8'));
      return [path.basename(file, '.md'), text.replaceAll('](../', `](${DOCUMENTATION}/`)];
    }),
  );
}

/** A page without its list of errors, which leads to pages that are not shipped. */
export function withoutMessages(text: string): string {
  return text.replace(/## Messages\n[\s\S]*?(?=## Sources)/, '');
}
