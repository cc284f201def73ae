import * as vscode from 'vscode';
import { ENVIRONMENT_FILES } from '../../server/src/protocol.ts';

const SCHEMES = ['file', 'untitled', 'vscode-remote', 'vscode-vfs'];

/** Notebook types with Python cells. */
export const NOTEBOOKS = ['jupyter-notebook', 'interactive'];

/** Files with a project's settings and its stack: the server receives their unsaved text and reports mistakes. */
const CONFIGURATION_FILES = ['**/.gpu-doctor.yaml', '**/pyproject.toml', '**/gpu-stack.yaml'];

/** Notebooks that are opened as text. */
const NOTEBOOK_FILES = ['**/*.ipynb'];

export interface TextFilter {
  readonly language?: string;
  readonly scheme: string;
  readonly pattern?: string;
}

/** The text documents that the server handles. `fileSchemes` are those of files that the server can read. */
export function textsOf(fileSchemes: readonly string[]): TextFilter[] {
  const patterns = [...CONFIGURATION_FILES, ...ENVIRONMENT_FILES, ...NOTEBOOK_FILES];
  return [
    ...[...new Set([...SCHEMES, ...fileSchemes])].map((scheme) => ({ language: 'python', scheme })),
    ...fileSchemes.flatMap((scheme) => patterns.map((pattern) => ({ scheme, pattern }))),
  ];
}

/** True while a document that the server handles is open. */
export function isAnythingOpen(fileSchemes: readonly string[]): boolean {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  return (
    textDocuments.some((document) => vscode.languages.match(textsOf(fileSchemes), document) > 0) ||
    notebookDocuments.some(({ notebookType }) => NOTEBOOKS.includes(notebookType))
  );
}
