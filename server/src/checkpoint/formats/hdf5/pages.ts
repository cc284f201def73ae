import type { Outline } from './outline.ts';

/**
 * Shared memory through which the main thread passes a file's bytes, page by page, to the thread that needs them
 * synchronously.
 */

/** Size of a page in bytes. */
export const PAGE_SIZE = 16 * 1024;

/** Indexes of the control words before a page: the state, 1 when the page is ready, and its number of bytes. */
export const STATE = 0;
export const LENGTH = 1;

/** The message that starts reading a file. */
export interface Start {
  /** Size of the file in bytes. */
  readonly size: number;
  /** The control words and a page. */
  readonly shared: SharedArrayBuffer;
}

/**
 * A message from the thread: the page that it needs, the work done since the last message in budget steps, or the
 * result.
 */
export type FromThread = { readonly page: number } | { readonly steps: number } | { readonly outline: Outline };
