import type { Outline } from './outline.ts';

/** How the thread that reads a file hands its bytes, page by page, to the thread that needs them at once. */

/** Bytes of a page. */
export const PAGE = 16 * 1024;

/** Places in the control words before a page: 1 when the page is there, and its number of bytes. */
export const STATE = 0;
export const LENGTH = 1;

/** The message that has the thread read a file. */
export interface Start {
  /** Of the file, in bytes. */
  readonly size: number;
  /** The control words and a page. */
  readonly shared: SharedArrayBuffer;
}

/** What the thread says: which page it needs, how much work it did meanwhile, in steps of a budget, or what it found. */
export type FromThread = { readonly page: number } | { readonly steps: number } | { readonly outline: Outline };
