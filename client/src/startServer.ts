import * as vscode from 'vscode';
import { isAnythingOpen } from './documents.ts';
import { isCheckedAlways } from './server.ts';

/**
 * Files in the root of a folder that start the server even if nothing is open, because their content about the stack is
 * shown.
 */
const ROOT_FILES = ['requirements.txt', 'environment.yml', 'gpu-stack.yaml'];

/**
 * Calls `start` as soon as the server is needed: a document for it is open, or the files of a folder are checked. The
 * extension runs in every window with Python files, and a process for each would be a waste.
 */
export function startWhenNeeded(fileSchemes: readonly string[], start: () => void): vscode.Disposable {
  const subscriptions: vscode.Disposable[] = [];
  let isStarted = false;
  const startOnce = () => {
    if (isStarted) return;
    isStarted = true;
    vscode.Disposable.from(...subscriptions).dispose();
    // Its code is loaded and its process started after the status bar item is shown.
    const starting = setTimeout(start);
    subscriptions.push({ dispose: () => clearTimeout(starting) });
  };
  const look = () => {
    const { workspaceFolders = [] } = vscode.workspace;
    if (isAnythingOpen(fileSchemes) || workspaceFolders.some(({ uri }) => isCheckedAlways(uri))) startOnce();
  };
  const { workspace } = vscode;
  subscriptions.push(
    workspace.onDidOpenTextDocument(look),
    workspace.onDidOpenNotebookDocument(look),
    workspace.onDidChangeConfiguration(look),
    workspace.onDidChangeWorkspaceFolders(look),
  );
  look();
  void isNamedByFolder().then((isNamed) => isNamed && startOnce());
  return { dispose: () => vscode.Disposable.from(...subscriptions).dispose() };
}

async function isNamedByFolder(): Promise<boolean> {
  const files = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    ROOT_FILES.map((name) => vscode.Uri.joinPath(uri, name)),
  );
  const found = await Promise.allSettled(files.map((file) => vscode.workspace.fs.stat(file)));
  return found.some(({ status }) => status === 'fulfilled');
}
