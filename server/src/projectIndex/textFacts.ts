/** The facts in the text of a file that other files of its project ask about, found in one search and without parsing. */
import { possibleLastParts, scanImports } from './importScan.ts';
import { scanFileNames } from './mentionedFiles.ts';
import { SEARCH_PATH } from './searchPath.ts';

/** Plain data. Lists are JSON: a substring of the text would keep all of it in memory, and few of them are ever needed. */
export interface TextFacts {
  /** A list of `ScannedImport`. */
  readonly imports: string;
  /** The words in its imports that may be the last part of a module name. */
  readonly lastParts: string;
  /** The names of data files in its strings. */
  readonly fileNames: string;
  /** In characters. */
  readonly length: number;
  readonly addsToSearchPath: boolean;
}

/** Returns the facts in a text, of which only the ASCII characters must be right. */
export function textFactsOf(text: string): TextFacts {
  const imports = scanImports(text);
  return {
    imports: JSON.stringify(imports),
    lastParts: JSON.stringify([...new Set(imports.flatMap(possibleLastParts))]),
    fileNames: JSON.stringify(scanFileNames(text)),
    length: text.length,
    addsToSearchPath: text.includes(SEARCH_PATH),
  };
}
