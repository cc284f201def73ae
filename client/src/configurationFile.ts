import * as vscode from 'vscode';
import type { Server } from './server.ts';

/** Creates the configuration file of a folder, or shows the existing one. */
export async function createConfigurationFile(server: Server): Promise<void> {
  const { workspaceFolders = [] } = vscode.workspace;
  const folder =
    workspaceFolders.length > 1
      ? await vscode.window.showWorkspaceFolderPick({ placeHolder: 'Folder for the configuration file' })
      : workspaceFolders[0];
  if (folder) await server.createConfigurationFile(folder.uri);
}
