/** What the extension and the page of an explanation say to each other. */
import type { ExplainAnswer, Explanation, Unexplained } from '../../server/src/protocol.ts';

export type { Explanation, Unexplained };

export interface ToExplanation extends ExplainAnswer {
  /** The file of the line that failed, as it is called in the workspace. */
  readonly file: string;
  /** Whether that file is there to be opened. */
  readonly opens: boolean;
  /** Whether commands may be put into a terminal. */
  readonly trusted: boolean;
}

export type FromExplanation =
  /** The page listens. */
  | { readonly kind: 'ready' }
  /** Makes the edit of the remedy with this title. */
  | { readonly kind: 'apply'; readonly remedy: string }
  | { readonly kind: 'terminal'; readonly command: string }
  | { readonly kind: 'copy'; readonly text: string }
  | { readonly kind: 'page'; readonly address: string }
  /** Opens the line that failed. */
  | { readonly kind: 'open' };
