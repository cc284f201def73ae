/** In-memory projects. */
import path from 'node:path';
import type { ProjectFiles } from '../../server/src/projectIndex/projectFiles.ts';
import { textFactsOf } from '../../server/src/projectIndex/textFacts.ts';
import { script } from '../../server/src/python/semantic/source.ts';

export const ROOT = path.resolve('/project');
export const at = (name: string): string => path.join(ROOT, name);

/** Creates a project with these files; later changes to `texts` take effect. */
export function filesOf(texts: Record<string, string>): ProjectFiles {
  const textOf = (file: string) => texts[path.relative(ROOT, file).split(path.sep).join('/')];
  const exists = (file: string) =>
    textOf(file) !== undefined || Object.keys(texts).some((name) => at(name).startsWith(file + path.sep));
  return {
    root: ROOT,
    list: () => Object.keys(texts).map(at).sort(),
    has: (folder, name) => exists(path.join(folder, name)),
    exists,
    read(file) {
      const text = textOf(file);
      return text === undefined ? undefined : script(file, text);
    },
    asciiOf: (file) => textOf(file) ?? '',
    factsOf: (file) => textFactsOf(textOf(file) ?? ''),
    forget() {},
  };
}
