import { homedir } from 'node:os';

/**
 * The home folder of the current user. For a user without an entry in the system, as in a container with a bare numeric
 * ID, it is the root folder, as for services without an entry.
 */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}
