import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RemedyEdit } from '../explain/explanation.ts';
import { push } from '../python/semantic/multimap.ts';

/** The new texts of files, by their path in the project with `/`. */
export type EditedFiles = ReadonlyMap<string, string>;

/**
 * Makes a folder that looks like the project with files edited: everything else is a link to the original, and what a
 * program creates beside an edited file stays in the copy.
 */
export async function overlayProject(project: string, edited: EditedFiles, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const below = new Map<string, [path: string, text: string][]>();
  for (const [path, text] of edited) push(below, path.split('/', 1)[0] ?? '', [path, text]);
  for (const name of await readdir(project))
    if (!below.has(name)) await symlink(join(project, name), join(folder, name));
  for (const [name, files] of below) {
    const [first] = files;
    if (first?.[0] === name) await writeFile(join(folder, name), first[1]);
    else {
      const inner = new Map(files.map(([path, text]) => [path.slice(name.length + 1), text]));
      await overlayProject(join(project, name), inner, join(folder, name));
    }
  }
}

/** Returns the text after edits, which do not overlap. Columns count characters, without a byte order mark. */
export function editedText(text: string, edits: RemedyEdit['edits']): string {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  const offsetOf = ({ row, column }: RemedyEdit['edits'][number]['location']) => {
    const start = starts[row - 1] ?? text.length;
    return start + [...text.slice(start, starts[row])].slice(0, column - 1).join('').length;
  };
  return edits
    .toSorted((one, other) => offsetOf(other.location) - offsetOf(one.location))
    .reduce(
      (before, { location, end_location, content }) =>
        before.slice(0, offsetOf(location)) + content + before.slice(offsetOf(end_location)),
      text,
    );
}
