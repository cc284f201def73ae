/** The components of a diffusers pipeline, as the rows of a table. */
import { bytesText } from '../checkpoint/byteSizes.ts';
import type { Pipeline } from '../checkpoint/pipeline.ts';
import { cutText } from './cut.ts';

export const COMPONENT_TITLES = ['component', 'class', 'library', 'size', 'weights', 'not loaded by default'] as const;

/** Returns a row of texts for each component, in the order of the pipeline. */
export function componentRows({ components }: Pipeline): readonly (readonly string[])[] {
  return components.map(({ name, className, library, size, weights = '', others }) => {
    const shown = others.slice(0, MOST_OTHERS);
    const more = others.length > shown.length ? [`${others.length - shown.length} more`] : [];
    const cells = [name, className, library, size > 0 ? bytesText(size) : '', weights, [...shown, ...more].join(', ')];
    return cells.map((cell) => cutText(cell));
  });
}

/** Maximum number of other files; a folder with many variants has dozens. */
const MOST_OTHERS = 6;
