import { createHash } from 'node:crypto';

/** A key that is another one whenever a file's content or what decides on its judgement is another one. */
export function cacheKey(circumstances: string, content: Buffer): string {
  return createHash('sha256').update(circumstances).update('\0').update(content).digest('base64').slice(0, 24);
}
