import { globSync } from 'node:fs';
import { extname, join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { type Cache, openCache, writerOf } from '../files/cache.ts';
import type { StoredFindings } from './workspaceFiles.ts';

/**
 * Opens the findings that earlier servers stored for a workspace, by its first folder. Nothing is stored without a
 * workspace.
 */
export async function openWorkspaceCache([folder]: readonly string[]): Promise<Cache<StoredFindings>> {
  return folder === undefined ? NO_CACHE : openCache<StoredFindings>(folder, thisBuild(), { kind: 'server' });
}

const NO_CACHE: Cache<StoredFindings> = { get: () => undefined, put() {}, save() {} };

function thisBuild(): string {
  const self = import.meta.filename;
  if (extname(self) !== '.ts') return writerOf(manifest.version, [self]);
  const sources = join(import.meta.dirname, '..');
  return writerOf(
    'server',
    globSync('**/*.{ts,yaml}', { cwd: sources }).map((name) => join(sources, name)),
  );
}
