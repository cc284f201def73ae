/** The data files that the texts of a project mention, found without parsing them. */
import { mayBeSameFile } from '../python/semantic/fileNames.ts';
import { push } from '../python/semantic/multimap.ts';

/** Names of files that hold tensors or arrays, without their suffix. */
const FILE_NAME = /([^\s"'/\\]+)\.(?:pth?|ckpt|bin|pkl|pickle|npy|npz|tar|safetensors|h5|hdf5|joblib|t7|model|dat)\b/g;
/** What is filled in: `{epoch}`, `%03d`. */
const FILLED = /\{[^{}]*\}|%[-+ #0-9.]*[a-z]/gi;

/** The names, without suffixes, of the data files that a text mentions; `*` for what is filled in. */
export function scanFileNames(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [, name = ''] of text.matchAll(FILE_NAME)) found.add(name.replaceAll(FILLED, '*'));
  return [...found];
}

export interface MentionedFiles {
  /** The paths of the texts that may mention a file of that name. */
  of(fileName: string): readonly string[];
}

/** `namesIn` are the names that each path's text mentions. */
export function mentionedFiles(namesIn: Iterable<readonly [path: string, names: readonly string[]]>): MentionedFiles {
  const exact = new Map<string, string[]>();
  const patterns = new Map<string, string[]>();
  for (const [path, names] of namesIn)
    for (const name of names) push(name.includes('*') ? patterns : exact, name, path);
  return {
    of(fileName) {
      const stem = fileName.replace(/\.\w+$/, '');
      const isPattern = stem.includes('*');
      const paths = new Set(isPattern ? [] : exact.get(stem));
      for (const names of isPattern ? [exact, patterns] : [patterns])
        for (const [name, mentioning] of names)
          if (mayBeSameFile(name, stem)) for (const path of mentioning) paths.add(path);
      return [...paths].sort();
    },
  };
}
