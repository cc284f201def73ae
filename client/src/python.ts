import * as vscode from 'vscode';

/** Whether a Python file or a notebook is open, be it behind another tab. */
export function isPythonOpen(): boolean {
  return (
    vscode.workspace.textDocuments.some(({ languageId }) => languageId === 'python') ||
    vscode.workspace.notebookDocuments.some(({ notebookType }) => notebookType === 'jupyter-notebook')
  );
}

/** Calls back whenever `isPythonOpen` may have changed. */
export function onPythonOpenChanged(listener: () => void): vscode.Disposable {
  const { workspace } = vscode;
  return vscode.Disposable.from(
    ...[
      workspace.onDidOpenTextDocument,
      workspace.onDidCloseTextDocument,
      workspace.onDidOpenNotebookDocument,
      workspace.onDidCloseNotebookDocument,
    ].map((event) => event(() => listener())),
  );
}
