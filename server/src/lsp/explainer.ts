import type { Explanation, Unexplained } from '../explain/explanation.ts';
import type { Paste } from '../explain/reading/paste.ts';

/** An error that can be explained. */
export interface ReadError {
  readonly paste: Paste;
  /** The folder for relative paths in the text. */
  readonly folder?: string;
  /** Address of the cell that it came up in. */
  readonly cell?: string;
}

/** Explains errors with what is known of them by now. */
export interface Explainer {
  /** The cause of all comes first; empty where nothing is known of it. */
  explain(error: ReadError): Promise<Explanation[]>;
  /** Returns, for an unknown error, problems on this machine that may cause it. */
  suspect(error: ReadError): Promise<Unexplained>;
}
