/** The facts in the text of a file that other files of its project ask about, found in one search and without parsing. */
import { mayUseFramework } from '../rules/queries/gpuFrameworks.ts';
import { mayNeedGpu } from '../rules/queries/gpuOnly.ts';
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
  /** False for text that needs no CUDA and offers no CPU. */
  readonly mayConcernCuda: boolean;
  readonly maySetKerasUp: boolean;
  readonly mayUseFramework: boolean;
  readonly mayNeedGpu: boolean;
}

const ABOUT_CUDA = /cuda|["']cpu["']|gpu/i;
const KERAS_SETUP = /KERAS_BACKEND|tensorflow/;

/** Returns the facts in a text, of which only the ASCII characters must be right. */
export function textFactsOf(text: string): TextFacts {
  const imports = scanImports(text);
  return {
    imports: JSON.stringify(imports),
    lastParts: JSON.stringify([...new Set(imports.flatMap(possibleLastParts))]),
    fileNames: JSON.stringify(scanFileNames(text)),
    length: text.length,
    addsToSearchPath: text.includes(SEARCH_PATH),
    mayConcernCuda: ABOUT_CUDA.test(text),
    maySetKerasUp: KERAS_SETUP.test(text),
    mayUseFramework: mayUseFramework(text),
    mayNeedGpu: mayNeedGpu(text),
  };
}
