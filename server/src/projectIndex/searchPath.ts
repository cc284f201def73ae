/** The folders that a program adds to `sys.path`, in which its imports are searched for. */
import { dirname, resolve } from 'node:path';
import type { Program } from '../guards/program.ts';
import { filePathOf } from '../python/semantic/filePaths.ts';
import type { Expression } from '../python/syntax/nodes.ts';

/** Text without this word does not change the search path. */
export const SEARCH_PATH = 'sys.path';

/**
 * Returns the absolute folders of `sys.path.append("lib")`, `sys.path.insert(0, ...)` and similar calls with constant
 * arguments.
 */
export function addedFolders(program: Program, root: string): readonly string[] {
  const { index, names, source } = program;
  return index.callsSpelled(['append', 'insert', 'extend']).flatMap(({ func, args }) => {
    if (func.kind !== 'Attribute' || !names.qualify(func.value).includes(SEARCH_PATH)) return [];
    const [last] = args.slice(-1);
    const added: readonly Expression[] = last?.kind === 'List' ? last.elts : last ? [last] : [];
    return added.flatMap((each) => {
      const path = filePathOf(each, program);
      if (!path) return [];
      const own = resolve(dirname(source.path), path.text);
      // A relative folder depends on the working directory: the program's own folder, or the project's.
      return path.from === 'program' ? [own] : [own, resolve(root, path.text)];
    });
  });
}
