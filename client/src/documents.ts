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

/** Files with other names that a project's settings may include; only the server knows which ones they do. */
const INCLUDABLE_FILES = ['**/*.{txt,in,yml,yaml}'];

/** The text documents that the server receives. `fileSchemes` are those of files that the server can read. */
export function documentsFor(fileSchemes: readonly string[]): TextFilter[] {
  return [...textsOf(fileSchemes), ...filtersOf(fileSchemes, INCLUDABLE_FILES)];
}

/** The text documents that are checked in every project. */
function textsOf(fileSchemes: readonly string[]): TextFilter[] {
  return [
    ...[...new Set([...SCHEMES, ...fileSchemes])].map((scheme) => ({ language: 'python', scheme })),
    ...filtersOf(fileSchemes, [...CONFIGURATION_FILES, ...ENVIRONMENT_FILES, ...NOTEBOOK_FILES]),
  ];
}

function filtersOf(schemes: readonly string[], patterns: readonly string[]): TextFilter[] {
  return schemes.flatMap((scheme) => patterns.map((pattern) => ({ scheme, pattern })));
}

/** True while a document that is checked in every project is open. */
export function isAnythingOpen(fileSchemes: readonly string[]): boolean {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  return (
    textDocuments.some((document) => vscode.languages.match(textsOf(fileSchemes), document) > 0) ||
    notebookDocuments.some(({ notebookType }) => NOTEBOOKS.includes(notebookType))
  );
}
