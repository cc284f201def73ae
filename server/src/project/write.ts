import { access, chmod, constants, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Replaces a file's content in one step, so that nobody ever reads half of it: a symbolic link is followed, the mode is
 * kept. Throws the operating system's error, with the file as it was.
 */
export async function replaceFile(path: string, bytes: Buffer): Promise<void> {
  const target = await realpath(path);
  await access(target, constants.W_OK);
  const { mode } = await stat(target);
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.gpu-doctor`);
  try {
    await writeFile(draft, bytes, { flag: 'wx' });
    await chmod(draft, mode & 0o7777);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
