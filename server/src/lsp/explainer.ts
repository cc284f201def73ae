import type { Explanation, Unexplained } from '../explain/explanation.ts';
import type { Paste } from '../explain/reading/paste.ts';

/** An error that can be explained. */
export interface ReadError {
  readonly paste: Paste;
  /** Where relative paths in it start. */
  readonly folder?: string;
  /** Address of the cell that it came up in. */
  readonly cell?: string;
}

/** Explains errors with what is known of them by now. */
export interface Explainer {
  /** The cause of all comes first; empty where nothing is known of it. */
  explain(error: ReadError): Promise<Explanation[]>;
  /** Of an error of which nothing is known, what is wrong here and may be behind it. */
  suspect(error: ReadError): Promise<Unexplained>;
}
