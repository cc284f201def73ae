import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readBuilt } from './dataFiles.ts';

/** Where the documentation is published. */
export const DOCUMENTATION = 'https://github.com/gpu-doctor/gpu-doctor/blob/main/docs';

/** Address of the page of a rule, of a verdict on the stack, or of a family of errors. */
export function documentationPage(kind: 'rules' | 'stack' | 'errors', name: string): string {
  return `${DOCUMENTATION}/${kind}/${name}.md`;
}

/** What of a page's path is its kind and its name: letters, digits and hyphens. */
const PAGE = /^(\w+)\/([\w-]+)\.md$/;

/**
 * The Markdown of a page that is shipped, by its path such as `rules/GPU101.md`; undefined where it is not. Those of the rules
 * and, with the extension, of the verdicts are: all of a kind lie in one file beside the bundles.
 */
export function shippedPage(page: string): string | undefined {
  const [, kind, name = ''] = PAGE.exec(page) ?? [];
  if (kind === undefined) return undefined;
  const built = readBuilt<Record<string, string>>(import.meta.dirname, `${kind}Pages`);
  if (built !== undefined) return Object.hasOwn(built, name) ? built[name] : undefined;
  const source = path.join(import.meta.dirname, '../../docs', page);
  return existsSync(source) ? readFileSync(source, 'utf8') : undefined;
}
