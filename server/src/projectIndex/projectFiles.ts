import type { Source } from '../python/semantic/source.ts';
import type { TextFacts } from './textFacts.ts';

/** The files of a project, on disk or in an editor. */
export interface ProjectFiles {
  readonly root: string;
  /** The paths of all Python files and notebooks. */
  list(): readonly string[];
  /** True if the folder contains a file or folder of that name. */
  has(folder: string, name: string): boolean;
  /** True if the path exists now, regardless of cached results. */
  exists(path: string): boolean;
  /** Returns undefined for a file that cannot be read. */
  read(path: string): Source | undefined;
  /**
   * Returns the text of a file, of which only the ASCII characters are reliable; empty for a file that cannot be read.
   */
  asciiOf(path: string): string;
  factsOf(path: string): TextFacts;
  /** Discards the cached list of files. */
  forget(): void;
}
