import {
  type Connection,
  DidChangeWorkspaceFoldersNotification,
  Emitter,
  type Event,
  type InitializeParams,
} from 'vscode-languageserver';
import { isForeignPath } from '../files/foreignFolders.ts';
import { isBelow, isSamePath } from '../files/paths.ts';
import { filePath } from './configurationFiles.ts';

/** The folders that the client has open. */
export interface Folders {
  /** Returns their current paths. */
  all(): readonly string[];
  /** Returns the innermost folder that contains or is this path. */
  around(path: string): string | undefined;
  /** True for the user's own file: it is in one of the folders, if there are any, and not in an environment. */
  isOwn(path: string): boolean;
  readonly onDidChange: Event<void>;
}

/** Follows the client's folders. */
export function followFolders(
  connection: Connection,
  { workspaceFolders, rootUri, rootPath }: InitializeParams,
): Folders {
  // Old clients send a single folder, by its address or path.
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
  let paths = uris.flatMap((uri) => filePath(uri) ?? []);
  if (!workspaceFolders && paths.length === 0 && rootPath) paths = [rootPath];
  const changed = new Emitter<void>();

  connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event: { added, removed } }) => {
    const gone = removed.map(({ uri }) => filePath(uri));
    const fresh = added.flatMap(({ uri }) => filePath(uri) ?? []);
    paths = [...new Set([...paths.filter((path) => !gone.includes(path)), ...fresh])];
    changed.fire();
  });
  const around = (path: string) =>
    paths
      .filter((folder) => isSamePath(path, folder) || isBelow(path, folder))
      .sort((one, other) => other.length - one.length)[0];
  return {
    onDidChange: changed.event,
    all: () => paths,
    around,
    isOwn(path) {
      const folder = around(path);
      return (folder !== undefined || paths.length === 0) && !isForeignPath(path, folder);
    },
  };
}
