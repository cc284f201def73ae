/** Files and folders on disk. The names in `folderFiles.ts` are apart from it, because a browser needs them too. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** True for a folder, and for a link to one. */
export const isFolderAt = (path: string): Promise<boolean> =>
  stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );

/** Returns the size of files in bytes, without those that are missing. */
export async function sizeOfFiles(folder: string, names: readonly string[]): Promise<number> {
  const files = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => undefined)));
  return files.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}
