import { readFile, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Documents } from './documents.ts';

/** The largest program that is read, in bytes. Larger files are generated. */
const LARGEST_PROGRAM = 4 * 2 ** 20;

export interface ProgramFile {
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
  try {
    if ((await stat(path)).size > LARGEST_PROGRAM) return undefined;
    return {
      document: TextDocument.create(pathToFileURL(path).href, 'python', 0, await readFile(path, 'utf8')),
      isOpen: false,
    };
  } catch {
    return undefined;
  }
}
