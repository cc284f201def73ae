import { constants, type Dirent } from 'node:fs';
import { copyFile, link, mkdir, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isBelow } from '../files/paths.ts';

/**
 * Files of at least this size in bytes share their content with the original: installers replace such files and never
 * write into them. Smaller files are copies, because a program may change a Python file.
 */
const SHARED_BYTES = 2 ** 18;

/** Number of files that are copied at a time. */
const AT_ONCE = 32;

/**
 * Copies the entries of a folder that the target does not have yet, with everything in them. Links that leave the folder
 * `root` keep pointing to the same place. `signal` stops it.
 *
 * @throws the system's error, or the reason of the signal.
 */
export async function copyFolder(from: string, to: string, signal: AbortSignal, root = from): Promise<void> {
  await mkdir(to, { recursive: true });
  const present = new Set(await readdir(to));
  const entries = (await readdir(from, { withFileTypes: true })).filter(({ name }) => !present.has(name));
  const files = entries.filter((entry) => !entry.isDirectory());
  for (let start = 0; start < files.length; start += AT_ONCE) {
    signal.throwIfAborted();
    await Promise.all(files.slice(start, start + AT_ONCE).map((entry) => copyEntry(entry, from, to, root)));
  }
  for (const entry of entries)
    if (entry.isDirectory()) await copyFolder(join(from, entry.name), join(to, entry.name), signal, root);
}

/** Returns the bytes that a copy of a folder takes on the disk of another folder. */
export async function bytesOfCopy(from: string, target: string): Promise<number> {
  const isShared = (await stat(from)).dev === (await stat(target)).dev;
  const entries = await readdir(from, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  let bytes = 0;
  for (let start = 0; start < files.length; start += AT_ONCE) {
    const batch = files.slice(start, start + AT_ONCE).map((entry) => stat(join(entry.parentPath, entry.name)));
    for (const { size } of await Promise.all(batch)) if (!isShared || size < SHARED_BYTES) bytes += size;
  }
  return bytes;
}

async function copyEntry(entry: Dirent, from: string, to: string, root: string): Promise<void> {
  const [source, target] = [join(from, entry.name), join(to, entry.name)];
  if (entry.isSymbolicLink()) {
    const pointed = await readlink(source);
    const absolute = resolve(from, pointed);
    return symlink(isBelow(absolute, root) ? pointed : absolute, target);
  }
  if (!entry.isFile()) return;
  const { size } = await stat(source);
  if (size >= SHARED_BYTES && (await isLinked(source, target))) return;
  await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
}

/** True if the target is now another name of the same file, which needs the same file system. */
function isLinked(source: string, target: string): Promise<boolean> {
  return link(source, target).then(
    () => true,
    () => false,
  );
}
