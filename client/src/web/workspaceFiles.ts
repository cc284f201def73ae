import * as vscode from 'vscode';
import type { BaseLanguageClient, Middleware } from 'vscode-languageclient';
import { FILE_CHANGED, type HandedFile, LIST_FILES, READ_FILES, type ReadFiles } from '../../../server/src/protocol.ts';
import { fromServer, toServer } from './addresses.ts';

type WorkspaceMiddleware = NonNullable<Middleware['workspace']>;

/** Folders of environments, packages and repository data. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'node_modules',
  'site-packages',
  'dist-packages',
  '.venv',
  'venv',
  '.git',
  '__pycache__',
]);

/** Maximum number of folders to list: each needs a network request. */
const MOST_FOLDERS = 1_000;

/** Size limit in bytes. Larger files are treated as data, not text. */
const LARGEST = 2 * 2 ** 20;

/** Number of files and folders that are read at the same time. */
const AT_A_TIME = 16;

/** Sends the workspace's files to the server, which has no disk. */
export function handFilesOver(client: BaseLanguageClient): void {
  client.onRequest(LIST_FILES, listFiles);
  client.onRequest(READ_FILES, async ({ uris }: ReadFiles): Promise<HandedFile[]> => {
    const files: HandedFile[] = [];
    for (let start = 0; start < uris.length; start += AT_A_TIME)
      files.push(...(await Promise.all(uris.slice(start, start + AT_A_TIME).map(readFile))));
    return files.filter(({ content }) => content !== null);
  });
}

/** Sends changed files before the server is notified of the change. */
export function handChangesOver(client: () => BaseLanguageClient): WorkspaceMiddleware['didChangeWatchedFile'] {
  return async (event, next) => {
    await client().sendNotification(FILE_CHANGED, await readFile(event.uri));
    await next(event);
  };
}

async function readFile(address: string): Promise<HandedFile> {
  const uri = fromServer(address);
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    const isText = (type & vscode.FileType.File) !== 0 && size <= LARGEST;
    return { uri: address, content: isText ? await vscode.workspace.fs.readFile(uri) : null };
  } catch {
    return { uri: address, content: null };
  }
}

/** Lists folder by folder, because a search never ends if a file system does not support it. */
async function listFiles(): Promise<string[]> {
  const files: string[] = [];
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const look = async (folder: vscode.Uri) => {
    const entries = await vscode.workspace.fs.readDirectory(folder);
    for (const [name, type] of entries) {
      const entry = vscode.Uri.joinPath(folder, name);
      if (type === vscode.FileType.File) files.push(toServer(entry));
      else if (type === vscode.FileType.Directory && !LEFT_OUT.has(name)) folders.push(entry);
    }
  };
  for (let start = 0; start < folders.length && start < MOST_FOLDERS; start += AT_A_TIME)
    await Promise.allSettled(folders.slice(start, start + AT_A_TIME).map(look));
  return files;
}
