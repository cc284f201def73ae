/** What the extension and the page of the checkpoint editor say to each other. */
import type { CheckpointView, Judgement, JudgementHere } from '../../server/src/protocol.ts';

export type { CheckpointView, Judgement, JudgementHere };

export type ToPage =
  /** A file is being read, and nothing of it is known yet. */
  | { readonly kind: 'reading'; readonly file: string }
  | { readonly kind: 'read'; readonly file: string; readonly view: CheckpointView }
  /** Whether it loads on this machine; comes after `read`, and again when the machine's stack has changed. */
  | { readonly kind: 'judged'; readonly judgement: JudgementHere }
  | { readonly kind: 'failed'; readonly file: string; readonly trouble: string }
  /** The user wants to filter the tensors. */
  | { readonly kind: 'filter' };

export type FromPage =
  /** The page listens: it wants to be told everything. */
  { readonly kind: 'ready' } | { readonly kind: 'retry' } | { readonly kind: 'copy'; readonly text: string };

/** What is under the pointer when the context menu opens, as `data-vscode-context` carries it to the menu's command. */
export interface MenuContext {
  readonly webviewSection: 'tensor';
  readonly name: string;
  readonly preventDefaultContextMenuItems: true;
}
