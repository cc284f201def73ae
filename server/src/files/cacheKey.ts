import { createHash } from 'node:crypto';

/** Returns a key that changes with a file's content and with everything else that its findings depend on. */
export function cacheKey(circumstances: string, content: Buffer): string {
  return createHash('sha256').update(circumstances).update('\0').update(content).digest('base64').slice(0, 24);
}
