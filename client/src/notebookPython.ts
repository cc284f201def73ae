import type * as vscode from 'vscode';

/** What of the Jupyter extension's interface is used. Older releases lack it. */
export interface Jupyter {
  /** The Python of a notebook's kernel: a program, or the folder of an environment; undefined before one is chosen. */
  getPythonEnvironment?(notebook: vscode.Uri): { readonly path: string } | undefined;
  readonly onDidChangePythonEnvironment?: vscode.Event<vscode.Uri>;
}

/** The name of the kernel that the notebook was last saved with. */
export function kernelOf({ metadata }: vscode.NotebookDocument): string | undefined {
  // VS Code keeps the metadata of the file one level down.
  const name: unknown = metadata.metadata?.kernelspec?.name;
  return typeof name === 'string' ? name : undefined;
}
