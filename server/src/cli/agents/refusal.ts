import { oneLine } from '../../printable.ts';
import type { Access } from '../access.ts';

/** A rejected call; its message is a sentence for the agent. */
export class Refusal extends Error {}

/** Throws a `Refusal` for a path outside the folders that may be read. */
export function requireReadable({ mayRead }: Access, path: string): void {
  if (!mayRead(path)) throw new Refusal(outside(path));
}

/** Returns the sentence about a path outside the folders that may be read. */
export function outside(path: string): string {
  return oneLine(`${path} is outside of ${process.cwd()} and is not read. Only the user can allow further folders.`);
}
