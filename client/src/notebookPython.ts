import type * as vscode from 'vscode';

/** The parts of the Jupyter extension's API that are used here. Older releases lack them. */
export interface Jupyter {
  /**
   * The Python of a notebook's kernel: a program, or the folder of an environment; undefined before one is selected.
   */
  getPythonEnvironment?(notebook: vscode.Uri): { readonly path: string } | undefined;
  readonly onDidChangePythonEnvironment?: vscode.Event<vscode.Uri>;
}

/** The name of the kernel with which the notebook was last saved. */
export function kernelOf({ metadata }: vscode.NotebookDocument): string | undefined {
  // VS Code stores the file's metadata one level deeper.
  const name: unknown = metadata.metadata?.kernelspec?.name;
  return typeof name === 'string' ? name : undefined;
}
