/** The files of a workspace in a browser, where there is no disk: those that the editor has handed over, in memory. */

export interface HeldFile {
  readonly content: Uint8Array;
  /** Milliseconds since 1970 at which it was handed over. */
  readonly changed: number;
}

const files = new Map<string, HeldFile>();

/** The names of the files and folders in each folder. */
const folders = new Map<string, Set<string>>();

/** Holds a file under its absolute path, and the folders above it. */
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

/** Lets go of a file, or of a folder with all that is in it. Returns the paths of the files that were held. */
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

/** The names in a folder; undefined where there is no such folder. */
export function namesInFolder(path: string): ReadonlySet<string> | undefined {
  return folders.get(path);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
