import { existsSync } from 'node:fs';
import { oneLine } from '../../printable.ts';
import type { Access } from '../access.ts';

/** A rejected call; its message is a sentence for the agent. */
export class Refusal extends Error {}

/** Throws a `Refusal` for a path outside the folders that may be read. */
export function requireReadable({ mayRead }: Access, path: string): void {
  if (!mayRead(path)) throw new Refusal(outside(path));
}

/** Throws a `Refusal` for such a path, and for one that does not exist. */
export function requireThere(access: Access, path: string): void {
  requireReadable(access, path);
  if (!existsSync(path)) throw new Refusal(oneLine(`The path ${path} does not exist.`));
}

/** Returns the sentence about a path outside the folders that may be read. */
export function outside(path: string): string {
  return oneLine(`${path} is outside of ${process.cwd()} and is not read. Only the user can allow further folders.`);
}
