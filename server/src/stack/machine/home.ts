import { homedir } from 'node:os';

/**
 * The folder of the user who runs this. A user whom the system does not know, as in a container that runs under a bare
 * number, has the root, as services without an entry have.
 */
export function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return '/';
  }
}
