/** The files of a project on disk. */

import { existsSync, readdirSync } from 'node:fs';
import { isNotebookPath, readDocument } from '../files/document.ts';
import { programFiles } from '../files/findFiles.ts';
import { readProjectFile } from '../projectFile.ts';
import type { Source } from '../python/semantic/source.ts';
import type { ProjectFiles } from './projectIndex.ts';

/** Maximum number of Python files in a folder; if there are more, files are analyzed one by one. */
const MAX_FILES = 20_000;

/** The files below a folder, read on demand and up to date at that time. */
export function diskFiles(root: string): ProjectFiles {
  const folders = new Map<string, ReadonlySet<string>>();
  let list: readonly string[] | undefined;
  const entriesOf = (folder: string) => {
    const known = folders.get(folder) ?? namesIn(folder);
    folders.set(folder, known);
    return known;
  };
  return {
    root,
    list() {
      list ??= programFiles(root, MAX_FILES) ?? [];
      return list;
    },
    has: (folder, name) => entriesOf(folder).has(name),
    exists: existsSync,
    read,
    asciiOf,
    mayHold,
    forget() {
      list = undefined;
      folders.clear();
    },
  };
}

function read(path: string): Source | undefined {
  try {
    return readDocument(path, readProjectFile(path, 'importedProgram')).source;
  } catch {
    return undefined;
  }
}

function asciiOf(path: string): string {
  if (isNotebookPath(path)) return (read(path)?.cells ?? []).map(({ text }) => text).join('\n');
  try {
    return readProjectFile(path, 'importedProgram').toString('latin1');
  } catch {
    return '';
  }
}

function mayHold(path: string, word: string): boolean {
  try {
    return readProjectFile(path, 'importedProgram').includes(word);
  } catch {
    return false;
  }
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}
