import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readBuilt } from './dataFiles.ts';

/** The address of the published documentation. */
export const DOCUMENTATION = 'https://github.com/gpu-doctor/gpu-doctor/blob/main/docs';

/** Returns the address of the page of a rule, a diagnosis or an error family. */
export function documentationPage(kind: 'rules' | 'stack' | 'errors', name: string): string {
  return `${DOCUMENTATION}/${kind}/${name}.md`;
}

/** A page's kind and name: letters, digits and hyphens. */
const PAGE = /^(\w+)\/([\w-]+)\.md$/;

/**
 * Returns the Markdown of a shipped page, by a path such as `rules/GPU101.md`; undefined for other pages. The pages of
 * rules are shipped, and with the extension those of diagnoses; all of a kind are one file beside the bundles.
 */
export function shippedPage(page: string): string | undefined {
  const [, kind, name = ''] = PAGE.exec(page) ?? [];
  if (kind === undefined) return undefined;
  const built = readBuilt<Record<string, string>>(import.meta.dirname, `${kind}Pages`);
  if (built !== undefined) return Object.hasOwn(built, name) ? built[name] : undefined;
  const source = path.join(import.meta.dirname, '../../docs', page);
  return existsSync(source) ? readFileSync(source, 'utf8') : undefined;
}
