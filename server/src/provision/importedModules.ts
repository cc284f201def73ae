import { isNotebookPath, readDocument } from '../files/document.ts';
import { readProjectFile } from '../projectFile.ts';
import { sourceTextOf } from '../python/semantic/sourceText.ts';
import { parseModule } from '../python/syntax/parse.ts';
import { walk } from '../python/syntax/walk.ts';

/** The top-level module of each import, with the first file that imports it. */
export type ImportedModules = ReadonlyMap<string, string>;

/**
 * The imports of the given modules in Python files, except those in a `try` that handles their failure: the program
 * works without them.
 */
export function importedModules(files: readonly string[], wanted: ReadonlySet<string>): ImportedModules {
  const found = new Map<string, string>();
  const words = new RegExp(`\\b(?:${[...wanted].join('|')})\\b`);
  for (const file of files) {
    for (const module of importsOf(file, words)) if (wanted.has(module) && !found.has(module)) found.set(module, file);
  }
  return found;
}

function importsOf(file: string, words: RegExp): Set<string> {
  const modules = new Set<string>();
  try {
    const bytes = readProjectFile(file, 'importedProgram');
    if (!words.test(bytes.toString('latin1'))) return modules;
    const { text } = sourceTextOf(readDocument(file, bytes).source);
    const add = (dotted: string | undefined) => dotted !== undefined && modules.add(dotted.split('.')[0] ?? dotted);
    for (const statement of parseModule(text, { notebook: isNotebookPath(file) }).body)
      walk(statement, (node) => {
        if (node.kind === 'Try' && node.handlers.length > 0) return false;
        if (node.kind === 'Import') for (const { name } of node.names) add(name);
        if (node.kind === 'ImportFrom' && node.level === 0) add(node.module);
        return undefined;
      });
  } catch {
    // Unreadable files import nothing.
  }
  return modules;
}
