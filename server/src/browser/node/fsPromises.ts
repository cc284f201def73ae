/** Replaces `node:fs/promises` in a browser. */
import { readFileSync, statSync } from './fs.ts';

export async function readFile(path: string, encoding?: 'utf8') {
  return readFileSync(path, encoding);
}

export async function stat(path: string) {
  return statSync(path);
}
