import { access, chmod, constants, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isBelow } from './paths.ts';
import { projectRoot } from './projectRoot.ts';
import { Trouble } from './trouble.ts';

/**
 * Replaces a file's content atomically, so that nobody reads an incomplete file. Follows symbolic links and keeps the
 * mode. Throws the operating system's error and leaves the file unchanged.
 */
async function replaceFile(path: string, bytes: Buffer): Promise<void> {
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

/**
 * Replaces a file that a project names. A link is followed only within its project, or within its folder if nothing shows
 * where the project begins. Also throws a `Trouble`.
 */
export async function replaceProjectFile(path: string, bytes: Buffer): Promise<void> {
  const [target, folder] = await Promise.all([realpath(path), realpath(dirname(path))]);
  const isLink = target !== join(folder, basename(path));
  if (isLink && !isBelow(target, projectRoot(folder) ?? folder))
    throw new Trouble('is a link to a file outside of the project, which is not changed');
  await replaceFile(target, bytes);
}

/**
 * Writes a file atomically: replaces an existing one, and leaves no partial new one behind. Writes directly to
 * terminals and pipes. Throws the operating system's error.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const there = await stat(path).catch(() => undefined);
  if (there?.isFile()) return replaceFile(path, Buffer.from(text));
  try {
    await writeFile(path, text);
  } catch (error) {
    if (!there) await rm(path, { force: true }).catch(() => {});
    throw error;
  }
}
