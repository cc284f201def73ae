import type { Explanation } from '../explain/explanation.ts';
import type { Paste } from '../explain/reading/paste.ts';

/** An error that can be explained. */
export interface ReadError {
  readonly paste: Paste;
  /** Where relative paths in it start. */
  readonly folder?: string;
  /** Address of the cell that it came up in. */
  readonly cell?: string;
}

/** Explains an error with what is known of it by now; the cause of all comes first. */
export type Explainer = (error: ReadError) => Promise<Explanation[]>;
