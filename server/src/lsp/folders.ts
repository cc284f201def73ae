import { type Connection, DidChangeWorkspaceFoldersNotification, type InitializeParams } from 'vscode-languageserver';
import { isForeignPath } from '../files/foreignFolders.ts';
import { isBelow, isSamePath } from '../files/paths.ts';
import { filePath } from './configurationFiles.ts';

/** The folders that the client has open. */
export interface Folders {
  /** Their paths, as they are now. */
  all(): readonly string[];
  /** The innermost of them that a file or folder lies in, or is. */
  around(path: string): string | undefined;
  /** True for a file that is the user's own: in one of the folders, where there are any, and in no environment. */
  isOwn(path: string): boolean;
}

/** Follows the client's folders. `changed` is called when others are open. */
export function followFolders(
  connection: Connection,
  { workspaceFolders, rootUri, rootPath }: InitializeParams,
  changed: () => void,
): Folders {
  // Clients from before there were several folders name one by its address or path.
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
  let paths = uris.flatMap((uri) => filePath(uri) ?? []);
  if (!workspaceFolders && paths.length === 0 && rootPath) paths = [rootPath];

  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event: { added, removed } }) => {
    const gone = removed.map(({ uri }) => filePath(uri));
    const fresh = added.flatMap(({ uri }) => filePath(uri) ?? []);
    paths = [...new Set([...paths.filter((path) => !gone.includes(path)), ...fresh])];
    changed();
  });
  const around = (path: string) =>
    paths
      .filter((folder) => isSamePath(path, folder) || isBelow(path, folder))
      .sort((one, other) => other.length - one.length)[0];
  return {
    all: () => paths,
    around,
    isOwn(path) {
      const folder = around(path);
      return (folder !== undefined || paths.length === 0) && !isForeignPath(path, folder);
    },
  };
}
