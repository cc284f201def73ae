/** The data files that the text of a project mentions, found without parsing. */
import { mayBeSameFile } from '../python/semantic/fileNames.ts';
import { push } from '../python/semantic/multimap.ts';

/** Placeholders: `{epoch}`, `%03d`. */
const PLACEHOLDER = /\{[^{}]*\}|%[-+ #0-9.]*[a-z]/gi;
/** The suffix at the end of a string. */
const SUFFIX = /\.\w+(?=["'])/g;
/** Maximum length of a name in characters; anything longer is text. */
const MAX_LENGTH = 120;

/** Returns the names at the ends of the strings in a text; placeholders become `*`. */
export function scanFileNames(text: string): readonly string[] {
  const found = new Set<string>();
  for (const { 0: suffix, index } of text.matchAll(SUFFIX)) {
    let start = index;
    while (start > index - MAX_LENGTH && isInName(text.charCodeAt(start - 1))) start--;
    if (start < index) found.add(text.slice(start, index).replaceAll(PLACEHOLDER, '*') + suffix);
  }
  return [...found];
}

/** False for a space, a quote, a slash, a backslash, and before the text. */
const isInName = (code: number) =>
  code > 0x20 && code !== 0x22 && code !== 0x27 && code !== 0x2f && code !== 0x5c && code !== 0xa0;

/** The suffix of a file name, from its last dot; undefined without a dot. */
export const suffixOf = (fileName: string): string | undefined => /\.\w+$/.exec(fileName)?.[0];

export interface MentionedFiles {
  /** Returns the paths of the files whose text may mention a data file of that name. */
  of(fileName: string): readonly string[];
}

/** Creates the search. `namesIn` holds the names, without suffix, in the text of the file at each path. */
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
