import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { projectText } from '../projectFile.ts';
import type { Documents } from './documents.ts';

interface ProgramFile {
  readonly document: TextDocument;
  readonly isOpen: boolean;
}

/**
 * Returns a program as it is open, whether saved or not, or as it is on disk; undefined for a file that cannot be read
 * as a program.
 */
export async function programAt(documents: Documents, path: string): Promise<ProgramFile | undefined> {
  const open = documents.ofFile(path);
  if (open) return { document: open, isOpen: true };
  const text = projectText(path, 'importedProgram');
  if (text === undefined) return undefined;
  return { document: TextDocument.create(pathToFileURL(path).href, 'python', 0, text), isOpen: false };
}
