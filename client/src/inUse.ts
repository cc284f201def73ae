import * as vscode from 'vscode';

/** The user's current file: the Python file or the notebook that was last active. */
export interface InUse {
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly notebook: vscode.NotebookDocument | undefined;
}

/** The current file; if something else is active, such as a terminal or a setting, the previous one. */
export function currentlyInUse(before?: InUse): InUse {
  const { activeNotebookEditor, activeTextEditor } = vscode.window;
  const notebook = activeNotebookEditor?.notebook;
  const document = notebook ?? activeTextEditor?.document;
  if (!document) return before ?? { folder: undefined, notebook: undefined };
  const isPython = activeTextEditor?.document.languageId === 'python';
  return {
    folder: vscode.workspace.getWorkspaceFolder(document.uri) ?? before?.folder,
    notebook: notebook ?? (isPython ? undefined : before?.notebook),
  };
}
