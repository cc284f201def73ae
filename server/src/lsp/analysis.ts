import { type Program, parseProgram } from '../python/program.ts';
import type { Source } from '../python/source.ts';
import { type CheckOptions, check } from '../rules/check.ts';
import type { Finding } from '../rules/contract.ts';
import type { Opened } from './documents.ts';

/** What the rules say of one revision of a script or notebook. Findings may only be asked for fixes while it is current. */
export interface Analysis {
  readonly opened: Opened;
  readonly options: CheckOptions;
  readonly program: Program;
  readonly findings: readonly Finding[];
}

export interface Analyses {
  /** The analysis of what is open, taken over where neither the text nor the options changed; undefined when it cannot be read. */
  of(opened: Opened, options: CheckOptions): Analysis | undefined;
  forget(uri: string): void;
}

/** UTF-16 code units that are still analysed; more is generated data rather than a program. */
const LONGEST_PROGRAM = 8_000_000;

/** Analyses programs, each from its previous state. `log` gets one sentence for each trouble of a file, not repeated while it lasts. */
export function createAnalyses(log: (sentence: string) => void): Analyses {
  const current = new Map<string, Analysis>();
  const told = new Map<string, Set<string>>();

  const tellOnce = (uri: string, sentence: string) => {
    const before = told.get(uri) ?? new Set();
    if (!before.has(sentence)) log(sentence);
    told.set(uri, before.add(sentence));
  };

  return {
    of(opened, options) {
      const previous = current.get(opened.uri);
      const sameText = previous?.opened.revision === opened.revision;
      if (previous && sameText && previous.options === options) return previous;
      current.delete(opened.uri);
      const trouble = unreadable(opened.source);
      if (trouble) {
        tellOnce(opened.uri, `${opened.source.path} is not checked: ${trouble}.`);
        return undefined;
      }
      try {
        const program = previous && sameText ? previous.program : parseProgram(opened.source, previous?.program);
        const onRuleError = (code: string, error: unknown) =>
          tellOnce(opened.uri, `${code} is switched off for ${opened.source.path}: ${String(error)}.`);
        const analysis = { opened, options, program, findings: check(program, { ...options, onRuleError }) };
        current.set(opened.uri, analysis);
        return analysis;
      } catch (error) {
        tellOnce(opened.uri, `${opened.source.path} is not checked: ${String(error)}.`);
        return undefined;
      }
    },
    forget(uri) {
      current.delete(uri);
      told.delete(uri);
    },
  };
}

/** Why a source is not even tried, as a clause, or undefined. */
function unreadable(source: Source): string | undefined {
  const length = source.cells.reduce((sum, cell) => sum + cell.text.length, 0);
  if (length > LONGEST_PROGRAM) return `it is longer than ${LONGEST_PROGRAM / 1e6} million characters`;
  // Python itself refuses source text with null characters: this is a binary file under a Python name.
  if (source.cells.some((cell) => cell.text.includes('\0'))) return 'it holds null characters, as binary files do';
  return undefined;
}
