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

/**
 * Writes a file whole or not at all: one that is there is replaced, of a new one nothing is left behind. What is no file,
 * such as a terminal or a pipe, is written to. Throws the operating system's error.
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
