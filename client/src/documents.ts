import * as vscode from 'vscode';
import { ENVIRONMENT_FILES } from '../../server/src/protocol.ts';

const SCHEMES = ['file', 'untitled', 'vscode-remote', 'vscode-vfs'];

/** The types of notebooks with Python cells. */
export const NOTEBOOKS = ['jupyter-notebook', 'interactive'];

/** What a project's settings and its stack stand in: the server takes their unsaved text and shows their mistakes. */
const CONFIGURATION_FILES = ['**/.gpu-doctor.yaml', '**/pyproject.toml', '**/gpu-stack.yaml'];

/** Notebooks that are opened as text. */
const NOTEBOOK_FILES = ['**/*.ipynb'];

export interface TextFilter {
  readonly language?: string;
  readonly scheme: string;
  readonly pattern?: string;
}

/** The documents that are text and the server's business. `fileSchemes` are those of files that the server can read. */
export function textsOf(fileSchemes: readonly string[]): TextFilter[] {
  const patterns = [...CONFIGURATION_FILES, ...ENVIRONMENT_FILES, ...NOTEBOOK_FILES];
  return [
    ...[...new Set([...SCHEMES, ...fileSchemes])].map((scheme) => ({ language: 'python', scheme })),
    ...fileSchemes.flatMap((scheme) => patterns.map((pattern) => ({ scheme, pattern }))),
  ];
}

/** True while a document is open that is the server's business. */
export function isAnythingOpen(fileSchemes: readonly string[]): boolean {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  return (
    textDocuments.some((document) => vscode.languages.match(textsOf(fileSchemes), document) > 0) ||
    notebookDocuments.some(({ notebookType }) => NOTEBOOKS.includes(notebookType))
  );
}
