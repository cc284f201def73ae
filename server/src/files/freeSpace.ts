import { statfs } from 'node:fs/promises';

/** Returns the bytes that are free where a file or folder lies; undefined if the system does not say. */
export async function freeSpace(path: string): Promise<number | undefined> {
  return statfs(path).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => undefined,
  );
}
