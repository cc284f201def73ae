import * as vscode from 'vscode';

/** What the user works on: the Python file or the notebook that was last in front. */
export interface InUse {
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly notebook: vscode.NotebookDocument | undefined;
}

/** What is in use now; where something else is in front, such as a terminal or a setting, what was in use before. */
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
