import type { PythonExtension } from '@vscode/python-extension';
import * as vscode from 'vscode';
import type { StackScope } from '../../server/src/protocol.ts';
import type { InterpreterChoice } from './interpreterChoice.ts';
import { currentlyInUse, type InUse } from './inUse.ts';
import { type Jupyter, kernelOf } from './notebookPython.ts';
import { otherExtension } from './otherExtension.ts';
import type { Server } from './server.ts';

/** Other extensions that know the selected Python, if installed. */
interface Extensions {
  readonly python: PythonExtension | undefined;
  readonly jupyter: Jupyter | undefined;
}

export interface InterpreterWatch extends vscode.Disposable {
  /** The current folder, once the server knows it. */
  folder(): Promise<vscode.WorkspaceFolder | undefined>;
}

/** Tells the server where to read the stack, once it runs and whenever the answer changes. */
export function watchInterpreter(
  server: Server,
  choice: InterpreterChoice,
  log: vscode.LogOutputChannel,
): InterpreterWatch {
  const subscriptions: vscode.Disposable[] = [];
  const subscribed = new WeakSet<object>();
  let inUse = currentlyInUse();
  let reported: string | undefined;
  let turn = 0;

  const subscribeOnce = (extension: object | undefined, changed: vscode.Event<unknown> | undefined) => {
    if (!extension || !changed || subscribed.has(extension)) return;
    subscribed.add(extension);
    subscriptions.push(changed(again));
  };
  const tell = async () => {
    const mine = ++turn;
    const extensions = await startExtensions(inUse, log);
    const { python, jupyter } = extensions;
    subscribeOnce(python, python?.environments.onDidChangeActiveEnvironmentPath);
    subscribeOnce(jupyter, jupyter?.onDidChangePythonEnvironment);
    const scope = await currentScope(extensions, choice, inUse);
    const news = JSON.stringify(scope);
    if (mine !== turn || news === reported) return;
    reported = news;
    await server.watchStack(scope);
  };
  let telling: Promise<void> = Promise.resolve();
  let isWanted = false;
  const again = () => {
    if (!isWanted) return;
    telling = tell().catch((error) => log.error(`Could not determine the selected Python: ${error}`));
  };

  /** Starts other extensions for it, which is delayed until the answer is needed. */
  const want = () => {
    if (isWanted) return;
    isWanted = true;
    again();
  };

  const followEditor = () => {
    const now = currentlyInUse(inUse);
    if (now.folder === inUse.folder && now.notebook === inUse.notebook) return;
    inUse = now;
    again();
  };

  subscriptions.push(
    vscode.window.onDidChangeActiveTextEditor(followEditor),
    vscode.window.onDidChangeActiveNotebookEditor(followEditor),
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('gpuDoctor.interpreter') && again(),
    ),
    choice.onDidChange(again),
    vscode.workspace.onDidGrantWorkspaceTrust(again),
    vscode.workspace.onDidChangeWorkspaceFolders(again),
    vscode.extensions.onDidChange(again),
  );
  subscriptions.push(server.onDidStart(want));
  return {
    async folder() {
      followEditor();
      want();
      await telling;
      return foldersInUse(inUse)[0];
    },
    dispose: () => vscode.Disposable.from(...subscriptions).dispose(),
  };
}

/** None in an untrusted workspace; Jupyter's extension is not started before a notebook is open. */
async function startExtensions({ notebook }: InUse, log: vscode.LogOutputChannel): Promise<Extensions> {
  const { isTrusted } = vscode.workspace;
  const [python, jupyter] = await Promise.all([
    isTrusted ? otherExtension<PythonExtension>('ms-python.python', log) : undefined,
    isTrusted && notebook ? otherExtension<Jupyter>('ms-toolsai.jupyter', log) : undefined,
  ]);
  return { python, jupyter };
}

/**
 * The inputs of the server: the current folder, otherwise the workspace's first one; and the Python that the user
 * selected, from the setting, the notebook's selected or saved kernel, or the Python extension.
 */
async function currentScope(
  { python, jupyter }: Extensions,
  choice: InterpreterChoice,
  inUse: InUse,
): Promise<StackScope> {
  const { notebook } = inUse;
  const folders = foldersInUse(inUse);
  // In an untrusted workspace, VS Code ignores the workspace's own value here.
  const setting = vscode.workspace.getConfiguration('gpuDoctor', folders[0]).get<string>('interpreter');
  const chosen = vscode.workspace.isTrusted ? choice.of(folders[0]) : undefined;
  const ofKernel = notebook && jupyter?.getPythonEnvironment?.(notebook.uri)?.path;
  const [interpreter, selectedBy]: [string?, StackScope['selectedBy']?] = chosen
    ? [chosen, 'user']
    : setting
      ? [setting, 'setting']
      : ofKernel
        ? [ofKernel, 'kernel']
        : python
          ? [await selectedIn(python, folders[0]), 'pythonExtension']
          : [];
  return {
    interpreter,
    selectedBy,
    kernel: notebook && !chosen && !setting && !ofKernel ? kernelOf(notebook) : undefined,
    folders: folders.map(({ uri }) => uri.fsPath),
    trusted: vscode.workspace.isTrusted,
  };
}

/** The workspace folders on this machine, the current one first. */
function foldersInUse({ folder }: InUse): vscode.WorkspaceFolder[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  const first = all.filter(({ uri }) => uri.toString() === folder?.uri.toString());
  return [...first, ...all.filter((each) => !first.includes(each))].filter(({ uri }) => uri.scheme === 'file');
}

/** The program of the environment that is selected in the Python extension, or the environment's folder. */
async function selectedIn(python: PythonExtension, folder: vscode.WorkspaceFolder | undefined): Promise<string> {
  const selected = python.environments.getActiveEnvironmentPath(folder);
  const environment = await python.environments.resolveEnvironment(selected);
  return environment?.executable.uri?.fsPath ?? selected.path;
}
