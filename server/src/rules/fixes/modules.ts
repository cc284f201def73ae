/** The name that a library has at a place, with an import if needed. */
import type { Program } from '../../guards/program.ts';
import type { Node } from '../../python/syntax/nodes.ts';
import type { Edit } from '../edits/fix.ts';
import { JAX, type Library, moduleNameAt, TENSORFLOW, TORCH } from './moduleNames.ts';
import { isReachedBefore, placeAfterImport, writeAt } from './topLevel.ts';

export interface ModuleText {
  /** The module's name: `torch`, `th`. */
  readonly text: string;
  /** Further edits that the name needs: an import, or nothing. */
  readonly edits: readonly Edit[];
}

/**
 * Returns the name of a library at a node, with the import that it may need; undefined if that name has another meaning
 * there.
 */
export function moduleAt(program: Program, node: Node, library: Library): ModuleText | undefined {
  const known = moduleNameAt(program, node, library);
  if (known) return { text: known.name, edits: [] };
  const place = placeAfterImport(program, library, node);
  if (!place || place.moduleName || isReachedBefore(program, node, place)) return undefined;
  return { text: library.alias, edits: [writeAt(program, place, library.importLine, [])] };
}

export const torchAt = (program: Program, node: Node) => moduleAt(program, node, TORCH);
export const tensorflowAt = (program: Program, node: Node) => moduleAt(program, node, TENSORFLOW);
export const jaxAt = (program: Program, node: Node) => moduleAt(program, node, JAX);
