/**
 * The files of a workspace in a browser, where there is no disk: an in-memory copy of those that the editor has sent.
 */

interface HeldFile {
  readonly content: Uint8Array;
  /** When the file was received, in milliseconds since 1970. */
  readonly changed: number;
}

const files = new Map<string, HeldFile>();

/** The names of the files and folders in each folder. */
const folders = new Map<string, Set<string>>();

/** Stores a file under its absolute path, and adds the folders above it. */
export function holdFile(path: string, content: Uint8Array): void {
  files.set(path, { content, changed: Date.now() });
  let name = path;
  while (name !== '/') {
    const folder = parentOf(name);
    const names = folders.get(folder) ?? new Set();
    folders.set(folder, names.add(name.slice(folder === '/' ? 1 : folder.length + 1)));
    name = folder;
  }
}

/** Removes a file, or a folder with everything in it. Returns the paths of the files that were removed. */
export function dropFile(path: string): string[] {
  const gone = [...files.keys()].filter((held) => held === path || held.startsWith(`${path}/`));
  for (const held of gone) files.delete(held);
  for (const folder of folders.keys()) if (folder === path || folder.startsWith(`${path}/`)) folders.delete(folder);
  folders.get(parentOf(path))?.delete(path.slice(path.lastIndexOf('/') + 1));
  return gone;
}

export function heldFile(path: string): HeldFile | undefined {
  return files.get(path);
}

/** The names in a folder; undefined if the folder does not exist. */
export function namesInFolder(path: string): ReadonlySet<string> | undefined {
  return folders.get(path);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
