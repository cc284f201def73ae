import * as vscode from 'vscode';
import { PAGE } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

const SCHEME = 'gpu-doctor-docs';

/** Provides the shipped pages as read-only files with their own scheme, so that links between them work. */
export function registerPages(server: Server): vscode.Disposable {
  const contents = async (address: vscode.Uri) => {
    const page = await server.request(PAGE, address.path.slice(1));
    if (page === null) throw vscode.FileSystemError.FileNotFound(address);
    return new TextEncoder().encode(page);
  };
  const refuse = (address: vscode.Uri) => {
    throw vscode.FileSystemError.NoPermissions(address);
  };
  const pages: vscode.FileSystemProvider = {
    onDidChangeFile: () => new vscode.Disposable(() => {}),
    watch: () => new vscode.Disposable(() => {}),
    async stat(address) {
      const { byteLength } = await contents(address);
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: byteLength };
    },
    readFile: contents,
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.workspace.registerFileSystemProvider(SCHEME, pages, { isReadonly: true });
}

/** Shows a documentation page: the one shipped with the extension, otherwise the published one. */
export async function showPage(address: string): Promise<void> {
  const [, page] = /\/docs(\/\w+\/[\w-]+\.md)(?:#.*)?$/.exec(address) ?? [];
  try {
    if (page === undefined) throw vscode.FileSystemError.FileNotFound(address);
    const file = vscode.Uri.from({ scheme: SCHEME, path: page });
    await vscode.workspace.fs.stat(file);
    await vscode.commands.executeCommand('markdown.showPreview', file);
  } catch {
    // It is missing, or the extension that renders Markdown is disabled.
    await vscode.env.openExternal(vscode.Uri.parse(address));
  }
}
