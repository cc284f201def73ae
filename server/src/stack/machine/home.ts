import { homedir } from 'node:os';

/**
 * The home folder of the current user. A user without an entry in the system, as in a container with a bare numeric ID,
 * has the root folder, like services without an entry.
 */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}
