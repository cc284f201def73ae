/** The usual names of checkpoints. Only the content decides what kind of file it is. */
import type { FilePatterns } from './formats/declaration.ts';
import { FORMAT_IDS, FORMATS } from './formats/index.ts';

/** Returns the file name patterns that all formats declare: `*.pt`, `saved_model.pb`. */
export function patternsOf(...kinds: readonly (keyof FilePatterns)[]): string[] {
  return kinds.flatMap((kind) => FORMAT_IDS.flatMap((format) => FORMATS[format].files?.[kind] ?? []));
}

/** Suffixes of files that the editor opens or offers to open: `pt`, `index.json`. */
export const CHECKPOINT_SUFFIXES: readonly string[] = patternsOf('opened', 'offered').flatMap((pattern) =>
  pattern.startsWith('*.') ? [pattern.slice(2)] : [],
);
