import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { nearestPath, slashed } from '../files/paths.ts';
import type { Source } from '../python/semantic/source.ts';

/** The unified diff between two versions of a source, by cell for a notebook. Empty if there are no differences. */
export function renderDiff(before: Source, after: Source): string {
  // `git apply` and `patch` accept only slashes.
  const name = slashed(nearestPath(before.path));
  return after.cells
    .map((cell, index) => {
      const old = before.cells[index]?.text ?? '';
      if (old === cell.text) return '';
      const title = before.kind === 'notebook' ? `${name}:cell ${cell.index + 1}` : name;
      return createTwoFilesPatch(title, title, old, cell.text, undefined, undefined, {
        context: 3,
        headerOptions: FILE_HEADERS_ONLY,
      });
    })
    .join('');
}

/** The unified diff between two versions of a file's text, for `git apply` and `patch -p1`. */
export function renderPatch(path: string, before: string, after: string): string {
  const name = slashed(nearestPath(path));
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options);
}
