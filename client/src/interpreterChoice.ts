import * as vscode from 'vscode';

/** The Python that the user selected for a folder. It is kept in the editor, so that nothing is written into a repository. */
export interface InterpreterChoice {
  /** Returns the path of its program or environment; undefined if it is determined automatically. */
  of(folder: vscode.WorkspaceFolder | undefined): string | undefined;
  /** Undefined determines it automatically again. */
  select(folder: vscode.WorkspaceFolder | undefined, interpreter: string | undefined): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

export function interpreterChoice({ workspaceState, subscriptions }: vscode.ExtensionContext): InterpreterChoice {
  const changed = new vscode.EventEmitter<void>();
  subscriptions.push(changed);
  const key = (folder: vscode.WorkspaceFolder | undefined) => `interpreter ${folder?.uri.toString() ?? ''}`;
  return {
    of: (folder) => workspaceState.get(key(folder)),
    async select(folder, interpreter) {
      await workspaceState.update(key(folder), interpreter);
      changed.fire();
    },
    onDidChange: changed.event,
  };
}
