import type { Explanation, Unexplained } from '../explain/explanation.ts';
import type { Paste } from '../explain/reading/paste.ts';
import type { ExplainRequest } from '../protocol.ts';

/** An error that can be explained. */
export interface ReadError {
  readonly paste: Paste;
  /** The folder for relative paths in the text. */
  readonly folder?: string;
  /** Address of the cell in which it occurred. */
  readonly cell?: string;
  /** The user's answers about possible causes. */
  readonly answers?: ExplainRequest['answers'];
}

/** Explains errors with the current facts. */
export interface Explainer {
  /** Returns explanations, the root cause first; empty for an unknown error. */
  explain(error: ReadError): Promise<Explanation[]>;
  /** Returns, for an unknown error, problems on this machine that may cause it. */
  suspect(error: ReadError): Promise<Unexplained>;
}
