/** Messages between the extension and the explanation page. */
import type { ExplainAnswer, Explanation, Unexplained } from '../../server/src/protocol.ts';

export type { Explanation, Unexplained };

export interface ToExplanation extends ExplainAnswer {
  /** The file that contains the failing line, by its name in the workspace. */
  readonly file: string;
  /** True if that file can be opened. */
  readonly opens: boolean;
  /** True if commands may be inserted into a terminal. */
  readonly trusted: boolean;
  /** True if the program that failed can be run again. */
  readonly canRepair: boolean;
}

export type FromExplanation =
  /** The page is ready. */
  | { readonly kind: 'ready' }
  /** Tries the remedies in a copy of the program's environment. */
  | { readonly kind: 'repair' }
  /** Applies the edit of the remedy with this title. */
  | { readonly kind: 'apply'; readonly remedy: string }
  /** The user's answer about a possible cause. */
  | { readonly kind: 'answer'; readonly cause: string; readonly applies: boolean }
  | { readonly kind: 'terminal'; readonly command: string }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'page'; readonly address: string }
  /** Opens the failing line. */
  | { readonly kind: 'open' };
