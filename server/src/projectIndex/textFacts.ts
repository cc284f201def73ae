/** The facts in the text of a file that other files of its project ask about, found in one search and without parsing. */
import { scanImports } from './importScan.ts';
import { scanFileNames } from './mentionedFiles.ts';
import { SEARCH_PATH } from './searchPath.ts';

/** Plain data. Lists are JSON: a substring of the text would keep all of it in memory, and few of them are ever needed. */
export interface TextFacts {
  /** A list of `ScannedImport`. */
  readonly imports: string;
  /** The names of data files in its strings. */
  readonly fileNames: string;
  /** In characters. */
  readonly length: number;
  readonly addsToSearchPath: boolean;
}

/** Returns the facts in a text, of which only the ASCII characters must be right. */
export function textFactsOf(text: string): TextFacts {
  return {
    imports: JSON.stringify(scanImports(text)),
    fileNames: JSON.stringify(scanFileNames(text)),
    length: text.length,
    addsToSearchPath: text.includes(SEARCH_PATH),
  };
}
