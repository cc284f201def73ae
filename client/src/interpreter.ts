import type { PythonExtension } from '@vscode/python-extension';
import * as vscode from 'vscode';
import type { StackScope } from '../../server/src/protocol.ts';
import type { Server } from './server.ts';

const PYTHON_EXTENSION = 'ms-python.python';

/** Milliseconds that the Python extension has to start; after that the server looks for an interpreter itself. */
const PATIENCE = 3000;

/** Tells the server which Python is selected, at once and whenever the answer changes. */
export function watchInterpreter(server: Server, log: vscode.LogOutputChannel): vscode.Disposable {
  const subscriptions: vscode.Disposable[] = [];
  const subscribed = new WeakSet<PythonExtension>();
  let folderInUse = activeFolder();
  let told: string | undefined;
  let turn = 0;

  const tell = async () => {
    const mine = ++turn;
    const python = vscode.workspace.isTrusted ? await pythonExtension(log) : undefined;
    if (python && !subscribed.has(python)) {
      subscribed.add(python);
      subscriptions.push(python.environments.onDidChangeActiveEnvironmentPath(again));
    }
    const scope = await currentScope(python, folderInUse);
    const news = JSON.stringify(scope);
    if (mine !== turn || news === told) return;
    told = news;
    await server.watchStack(scope);
  };
  const again = () => void tell().catch((error) => log.error(`The selected Python could not be told: ${error}`));

  const followEditor = () => {
    const folder = activeFolder();
    // In none of the folders, the one before stays in use.
    if (!folder || folder === folderInUse) return;
    folderInUse = folder;
    again();
  };

  subscriptions.push(
    vscode.window.onDidChangeActiveTextEditor(followEditor),
    vscode.window.onDidChangeActiveNotebookEditor(followEditor),
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('gpuDoctor.interpreter') && again(),
    ),
    vscode.workspace.onDidGrantWorkspaceTrust(again),
    vscode.workspace.onDidChangeWorkspaceFolders(again),
    vscode.extensions.onDidChange(again),
  );
  again();
  return { dispose: () => vscode.Disposable.from(...subscriptions).dispose() };
}

/** The workspace's folder that the active editor's file lies in. */
function activeFolder(): vscode.WorkspaceFolder | undefined {
  const { activeNotebookEditor, activeTextEditor } = vscode.window;
  const document = activeNotebookEditor?.notebook ?? activeTextEditor?.document;
  return document && vscode.workspace.getWorkspaceFolder(document.uri);
}

/** What the server is to look at: the folder in use first, or else the workspace's first one. */
async function currentScope(
  python: PythonExtension | undefined,
  inUse: vscode.WorkspaceFolder | undefined,
): Promise<StackScope> {
  const all = vscode.workspace.workspaceFolders ?? [];
  const first = all.filter(({ uri }) => uri.toString() === inUse?.uri.toString());
  const folders = [...first, ...all.filter((folder) => !first.includes(folder))].filter(
    ({ uri }) => uri.scheme === 'file',
  );
  // In a workspace that is not trusted, VS Code leaves out what the workspace itself sets here.
  const setting = vscode.workspace.getConfiguration('gpuDoctor', folders[0]).get<string>('interpreter');
  return {
    interpreter: setting || (python && (await selectedIn(python, folders[0]))),
    folders: folders.map(({ uri }) => uri.fsPath),
    trusted: vscode.workspace.isTrusted,
  };
}

/** The program of the environment that is selected in the Python extension, or the environment's folder. */
async function selectedIn(python: PythonExtension, folder: vscode.WorkspaceFolder | undefined): Promise<string> {
  const selected = python.environments.getActiveEnvironmentPath(folder);
  const environment = await python.environments.resolveEnvironment(selected);
  return environment?.executable.uri?.fsPath ?? selected.path;
}

/** The Python extension's interface; undefined where it is not installed, fails to start or takes too long to. */
async function pythonExtension(log: vscode.LogOutputChannel): Promise<PythonExtension | undefined> {
  if (!vscode.extensions.getExtension(PYTHON_EXTENSION)) return undefined;
  const { PythonExtension } = await import('@vscode/python-extension');
  const tooLate = new Promise<undefined>((resolve) => {
    setTimeout(resolve, PATIENCE, undefined);
  });
  try {
    return await Promise.race([PythonExtension.api(), tooLate]);
  } catch (error) {
    log.warn(`The Python extension did not start: ${error}`);
    return undefined;
  }
}
