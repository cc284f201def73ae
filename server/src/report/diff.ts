import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { shownPath, slashed } from '../files/paths.ts';
import type { Source } from '../python/semantic/source.ts';

/** The unified diff from one version of a source to the other, a notebook's cell by cell. Empty when nothing differs. */
export function renderDiff(before: Source, after: Source): string {
  // `git apply` and `patch` know slashes only.
  const name = slashed(shownPath(before.path));
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

/** The unified diff between two texts of a file, as `git apply` and `patch -p1` take it. */
export function renderPatch(path: string, before: string, after: string): string {
  const name = slashed(shownPath(path));
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options);
}
